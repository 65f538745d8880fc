"""Makes and checks the release files of the package, in the folder dist.

    python release.py                 the wheels for Linux x86-64 and arm64, and the sdist
    python release.py --only sdist    one of them: x86_64, aarch64 or sdist

It needs Go and the packages build, hatchling, ziglang and auditwheel. The wheels are linked for glibc 2.17. macOS
wheels are built on a Mac with ``pip wheel``.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIST = HERE / "dist"
GLIBC = "2.17"
PROCESSORS = ("x86_64", "aarch64")
LARGEST = 30 << 20  # bytes of a wheel, most of which are the two Go programs


def run(*command: str | Path, **variables: str) -> str:
    """Runs a command with more environment variables and returns its output; it must succeed."""
    print("+", *command, flush=True)
    done = subprocess.run(
        [str(part) for part in command], env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{done.stdout}release: `{' '.join(map(str, command))}` failed")
    return done.stdout


def make_wheel(processor: str) -> Path:
    tag = f"manylinux_{GLIBC.replace('.', '_')}_{processor}.manylinux2014_{processor}"
    with tempfile.TemporaryDirectory() as folder:
        run(
            sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, HERE,
            SANDTABLE_ZIG=f"{processor}-linux-gnu.{GLIBC}", SANDTABLE_PLAT=tag,
        )  # fmt: skip
        (made,) = Path(folder).glob("*.whl")
        return Path(shutil.copy(made, DIST))


def make_sdist() -> Path:
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder, HERE)
        (made,) = Path(folder).glob("*.tar.gz")
        return Path(shutil.copy(made, DIST))


def check_wheel(wheel: Path, processor: str) -> None:
    """Checks the files, the size and the version of glibc of a wheel, and installs it if it is for this machine."""
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("sandtable/libsandtable.so", "sandtable/py.typed", ".data/scripts/sandtable"):
        if not any(name.endswith(wanted) for name in names):
            sys.exit(f"release: {wheel.name} does not contain {wanted}")
    if wheel.stat().st_size > LARGEST:
        sys.exit(f"release: {wheel.name} has {wheel.stat().st_size:,} bytes, must be at most {LARGEST:,}")
    shown = " ".join(run(sys.executable, "-m", "auditwheel", "show", wheel).split())
    # Symbols of older versions of glibc are in order, so auditwheel may find an older tag than the wheel's.
    consistent = shown.partition("is consistent with the following platform tag:")[2].split('"')[1]
    version = tuple(map(int, consistent.split("_")[1:3])) if consistent.startswith("manylinux_") else (99, 99)
    if version > tuple(map(int, GLIBC.split("."))):
        sys.exit(f"release: {wheel.name} is {consistent}, must run with glibc {GLIBC}")
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {consistent}")
    if platform.machine() == processor:
        check_install(wheel)


def check_install(package: Path) -> None:
    """Installs a wheel or an sdist into a fresh virtual environment and runs its self-test and its command."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        run(Path(folder, "bin", "pip"), "install", "--quiet", package)
        print(run(Path(folder, "bin", "python"), "-m", "sandtable.selftest"), end="")
        run(Path(folder, "bin", "sandtable"), "games", "--json")


def check_sdist(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
    for wanted in ("/go/go.mod", "/go/cmd/libsandtable/", "/src/sandtable/batch.py", "/hatch_build.py"):
        if not any(wanted in name for name in names):
            sys.exit(f"release: {sdist.name} does not contain {wanted}")
    print(f"{sdist.name}: {sdist.stat().st_size / 1e6:.1f} MB, {len(names)} files")
    check_install(sdist)


def main() -> None:
    parser = argparse.ArgumentParser(description="Make and check the release files in the folder dist.")
    parser.add_argument("--only", choices=(*PROCESSORS, "sdist"), help="make one file")
    only = parser.parse_args().only
    DIST.mkdir(exist_ok=True)
    for processor in PROCESSORS:
        if only in (None, processor):
            check_wheel(make_wheel(processor), processor)
    if only in (None, "sdist"):
        check_sdist(make_sdist())


if __name__ == "__main__":
    main()
