"""``python -m sandtable`` is the command ``sandtable`` that was installed with the package."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path


def command() -> Path:
    """Returns the path of the installed command, a Go program."""
    try:
        installed = files("sandtable") or []
    except PackageNotFoundError:
        installed = []
    for file in installed:
        if file.name in ("sandtable", "sandtable.exe") and "bin" in file.parts[-2:-1]:
            return Path(str(file.locate())).resolve()
    sys.exit("sandtable: the command is not installed; run `pip install` for the package")


def main() -> None:
    arguments = [str(command()), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(arguments[0], arguments)
    sys.exit(subprocess.run(arguments).returncode)


if __name__ == "__main__":
    main()
