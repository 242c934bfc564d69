#!/usr/bin/env bash
# Runs a command with a newer Node than that of this machine, which npm installs beside the other caches:
#
#   with-newer-node.sh npm test -- --project=unit
set -euo pipefail
version=24.21.0
folder=$(cd "$(dirname "$0")/.." && pwd)/node_modules/.cache/node-$version
package=node-linux-$(node -p process.arch)
[ -x "$folder/node_modules/$package/bin/node" ] ||
  npm install --silent --no-audit --no-fund --no-save --prefix "$folder" "$package@$version"
export PATH="$folder/node_modules/$package/bin:$PATH"
echo "Node $(node --version)"
exec "$@"
