"""Refuses platforms on which the library cannot work."""

from __future__ import annotations

import sys
import sysconfig

from .errors import UnsupportedPlatformError


def check() -> None:
    """Raises UnsupportedPlatformError where a library made by Go cannot be loaded."""
    if sys.platform.startswith("linux") and "musl" in (sysconfig.get_config_var("SOABI") or "") + (
        sysconfig.get_config_var("HOST_GNU_TYPE") or ""
    ):
        raise UnsupportedPlatformError(
            "this Python uses musl (Alpine Linux), whose loader cannot load Go's shared libraries; "
            "use an image with glibc, such as python:3.13-slim"
        )
    if sys.platform == "win32":
        raise UnsupportedPlatformError("Windows is not supported; use the Windows Subsystem for Linux")
