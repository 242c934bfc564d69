"""The service itself, started from Python: it is the program `hyperslab` of Node.

The package has no command of this name, since it would hide that program: `python -m hyperslab serve FOLDER`.
"""

from __future__ import annotations

import os
import shutil
import subprocess


def command_of(folder: str | os.PathLike[str], port: int | None = None) -> list[str]:
    """The command that serves a folder; `FileNotFoundError` if the program is not there.

    npx runs only what is installed in the current project: it takes no program of this name from elsewhere.
    """
    program, npx = shutil.which('hyperslab'), shutil.which('npx')
    if program is None and npx is None:
        raise FileNotFoundError('neither hyperslab nor npx is on the path: install Node.js 20 and the package hyperslab')
    start = [program] if program is not None else [str(npx), '--no-install', 'hyperslab']
    return [*start, 'serve', os.fspath(folder), *([] if port is None else ['--port', str(port)])]


def serve(folder: str | os.PathLike[str], port: int | None = None) -> subprocess.Popen[bytes]:
    """Starts a service for a folder of HDF5 files in a process of its own; `terminate` ends it."""
    return subprocess.Popen(command_of(folder, port))
