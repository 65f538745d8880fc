"""Builds the Go parts of the package: the library that Python loads and the command line.

Environment variables:

SANDTABLE_ZIG
    Target of a cross build with the C compiler of the PyPI package ``ziglang``, such as
    ``x86_64-linux-gnu.2.17`` or ``aarch64-linux-gnu.2.17``.
SANDTABLE_PLAT
    Platform tag of the wheel, such as ``manylinux_2_17_x86_64``. The default is that of this machine.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent
LIBRARY = "libsandtable.dylib" if sys.platform == "darwin" else "libsandtable.so"
COMMANDS = ("./cmd/sandtable", "./cmd/libsandtable")

# The processor names of zig and of Go.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


class BuildError(Exception):
    """A build that cannot succeed on this machine; the text says what is missing."""


class GoBuildHook(BuildHookInterface[Any]):
    """Adds what Go builds to a wheel, and the Go sources to an sdist."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        try:
            if self.target_name == "sdist":
                build_data["force_include"].update(go_sources())
            else:
                self.build(version == "editable", build_data)
        except BuildError as error:
            # An exception would bury the sentence below a traceback.
            self.app.abort(f"sandtable: {error}")

    def build(self, editable: bool, build_data: dict[str, Any]) -> None:
        self.scratch = tempfile.mkdtemp()
        # An editable install loads the library from the source folder.
        library = HERE / "src" / "sandtable" / LIBRARY if editable else Path(self.scratch, LIBRARY)
        command = Path(self.scratch, "sandtable")
        build_library(library)
        build_command(command)
        if not editable:
            build_data["force_include"][str(library)] = f"sandtable/{LIBRARY}"
        build_data["shared_scripts"][str(command)] = "sandtable"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.target_name != "sdist":
            shutil.rmtree(self.scratch, ignore_errors=True)


def module_root() -> Path:
    """Returns the folder of go.mod: of the checkout, or the one inside an sdist."""
    for root in (HERE / "go", HERE.parent.parent):
        if (root / "go.mod").is_file():
            return root
    raise BuildError(
        f"the Go sources are neither in {HERE / 'go'} nor in {HERE.parent.parent}; "
        "install from a checkout of the whole repository or from the sdist"
    )


def wanted_go(root: Path) -> str:
    found = re.search(r"^go (\d+\.\d+)", (root / "go.mod").read_text(), re.MULTILINE)
    assert found, "go.mod has a go directive"
    return found[1]


def check_go(root: Path) -> None:
    """Raises BuildError unless Go is installed and new enough."""
    wanted = wanted_go(root)
    if shutil.which("go") is None:
        raise BuildError(
            f"building needs Go {wanted} or newer, and there is no `go` on the PATH; install it from https://go.dev/dl"
        )
    # In the module's folder, Go 1.21 and newer switch to the toolchain that go.mod asks for.
    answer = subprocess.run(["go", "env", "GOVERSION"], cwd=root, capture_output=True, text=True)
    found = re.search(r"go(\d+)\.(\d+)", answer.stdout)
    if found and (int(found[1]), int(found[2])) >= tuple(map(int, wanted.split("."))):
        return
    version = answer.stdout.strip() or answer.stderr.strip().splitlines()[-1]
    raise BuildError(f"building needs Go {wanted} or newer, and this machine has: {version}")


def go(*arguments: str, **variables: str) -> str:
    """Runs the go command in the module's folder and returns its output."""
    root = module_root()
    check_go(root)
    environment = {**os.environ, **variables}
    done = subprocess.run(["go", *arguments], cwd=root, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise BuildError(f"`go {' '.join(arguments)}` failed in {root} with the errors above")
    return done.stdout


def target() -> dict[str, str]:
    """Returns the environment variables that select the platform of a cross build."""
    zig = os.environ.get("SANDTABLE_ZIG")
    if not zig:
        return {}
    processor = zig.split("-")[0]
    if processor not in ARCHITECTURES or "-linux-gnu" not in zig:
        raise BuildError(
            f"SANDTABLE_ZIG is {zig!r}, must be x86_64-linux-gnu.VERSION or aarch64-linux-gnu.VERSION "
            "with a version of glibc, such as 2.17"
        )
    return {"GOOS": "linux", "GOARCH": ARCHITECTURES[processor]}


def build_library(path: Path) -> None:
    variables = {"CGO_ENABLED": "1", **target()}
    if zig := os.environ.get("SANDTABLE_ZIG"):
        variables["CC"] = f"{sys.executable} -m ziglang cc -target {zig}"
    else:
        compiler = go("env", "CC").split()[0]
        if shutil.which(compiler) is None:
            raise BuildError(
                f"building needs a C compiler, and there is no `{compiler}` on the PATH; install gcc or clang"
            )
    go("build", *flags(), "-buildmode=c-shared", "-o", str(path), "./cmd/libsandtable", **variables)
    path.with_suffix(".h").unlink(missing_ok=True)


def build_command(path: Path) -> None:
    go("build", *flags(), "-o", str(path), "./cmd/sandtable", CGO_ENABLED="0", **target())


def flags() -> tuple[str, ...]:
    # Without -trimpath, a local build shares Go's build cache with other builds of the checkout.
    release = ("-trimpath",) if "SANDTABLE_PLAT" in os.environ else ()
    return *release, "-buildvcs=false", "-ldflags=-s -w"


def platform() -> str:
    tag = os.environ.get("SANDTABLE_PLAT") or sysconfig.get_platform()
    return re.sub(r"[-.]", "_", tag) if "SANDTABLE_PLAT" not in os.environ else tag


def go_sources() -> dict[str, str]:
    """Returns the Go files that the two programs need, by path, with their places in an sdist."""
    root = module_root()
    lists = ["GoFiles", "CgoFiles", "IgnoredGoFiles", "CFiles", "HFiles", "EmbedFiles"]
    ranges = "".join("{{range ." + name + "}}{{$.Dir}}/{{.}}\n{{end}}" for name in lists)
    files = {str(root / name) for name in ("go.mod", "go.sum", "LICENSE")}
    for system in ("linux", "darwin"):
        # The list needs no C compiler. Without cgo, what the library imports would not be listed.
        listed = go(
            "list", "-deps", "-f", "{{if .Module}}{{if .Module.Main}}" + ranges + "{{end}}{{end}}",
            *COMMANDS, GOOS=system, CGO_ENABLED="1",
        )  # fmt: skip
        # Tests are listed if a build tag excludes them.
        files.update(line for line in listed.splitlines() if line and not line.endswith("_test.go"))
    return {path: f"go/{Path(path).relative_to(root).as_posix()}" for path in sorted(files)}


if __name__ == "__main__":
    # Builds the library in place, for work on the package without an install.
    try:
        build_library(HERE / "src" / "sandtable" / LIBRARY)
    except BuildError as error:
        sys.exit(f"sandtable: {error}")
