#!/usr/bin/env bash
# Makes a Python of Debian 13 beside that of this machine, with clients that Debian 12 lacks or has old: zarr-python 3,
# xarray, h5netcdf, netCDF4 with byte ranges, GDAL. Prints its path. Needs root, debootstrap and the Debian mirror that
# apt is configured for; takes about two minutes once. The interpreter is started by its own loader, so nothing is
# mounted and it sees the files of this machine.
#
#   newer-clients.sh [FOLDER]     default: ~/.cache/hyperslab-clients
set -euo pipefail
folder=${1:-${HOME}/.cache/hyperslab-clients}
root="$folder/debian13"
packages='python3 python3-numpy python3-h5py python3-h5netcdf python3-zarr python3-xarray python3-netcdf4 python3-gdal python3-fsspec python3-aiohttp python3-requests'
export DEBIAN_FRONTEND=noninteractive
if [ "$(cat "$root/.ready" 2>/dev/null)" != "$packages" ]; then
  mkdir -p "$folder"
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -1)
  [ -x "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase --include=ca-certificates trixie "$root" "$mirror" >&2
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  printf '%s\n' 'APT::Install-Recommends "false";' 'Acquire::Check-Valid-Until "false";' 'Acquire::Check-Date "false";' \
    > "$root/etc/apt/apt.conf.d/90local"
  chroot "$root" apt-get update -qq >&2
  # shellcheck disable=SC2086
  chroot "$root" apt-get install -y -qq $packages >&2
  echo "$packages" > "$root/.ready"
fi
machine=$(uname -m)
lib="$root/usr/lib/$machine-linux-gnu"
version=$(basename "$(readlink -f "$root/usr/bin/python3")")
mkdir -p "$folder/bin" "$folder/lib/$version/site-packages"
printf 'home = %s/usr/bin\ninclude-system-site-packages = true\n' "$root" > "$folder/pyvenv.cfg"
loader=$(find "$lib" "$root/lib64" -maxdepth 1 -name 'ld-linux-*' 2>/dev/null | head -1)
cat > "$folder/bin/python3" <<END
#!/bin/sh
export GDAL_DATA="$root/usr/share/gdal" PROJ_DATA="$root/usr/share/proj"
exec "$loader" --argv0 "$folder/bin/python3" --library-path "$lib:$lib/blas:$lib/lapack:$root/usr/lib" "$root/usr/bin/$version" "\$@"
END
chmod +x "$folder/bin/python3"
"$folder/bin/python3" -c 'import zarr, xarray, netCDF4, h5py, h5netcdf, fsspec, aiohttp, osgeo.gdal' >&2
echo "$folder/bin/python3"
