"""`python -m hyperslab serve FOLDER [--port P]`: this process becomes the service, so that signals reach it."""

import argparse
import os
import sys

from ._serve import command_of


def main() -> None:
    parser = argparse.ArgumentParser(prog='python -m hyperslab')
    serve = parser.add_subparsers(required=True, metavar='serve').add_parser('serve', help='serve a folder')
    serve.add_argument('folder')
    serve.add_argument('--port', type=int)
    options = parser.parse_args()
    try:
        command = command_of(options.folder, options.port)
    except FileNotFoundError as error:
        sys.exit(str(error))
    os.execv(command[0], command)


if __name__ == '__main__':
    main()
