"""The version of the package is that of the service, in the `package.json` of the repository."""

import json
from pathlib import Path

from setuptools import setup

setup(version=json.loads((Path(__file__).parent.parent / 'package.json').read_text())['version'])
