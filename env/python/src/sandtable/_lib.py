"""The C library: loading it, calling it, and its errors and handles.

The library is loaded when it is first called, never on import. A process that was forked after that cannot use it: all
functions then raise ``ForkedError``.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable
from operator import index
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn, TypeAlias

import numpy as np

from . import _abi
from .errors import BusyError, ClosedError, Error, ForkedError, IllegalActionError, UnsupportedPlatformError

Function: TypeAlias = Callable[..., int]

_EXCEPTIONS: dict[str, type[Exception]] = {
    "value": ValueError,
    "illegal": IllegalActionError,
    "closed": ClosedError,
    "busy": BusyError,
    "internal": Error,
}
_MILLISECONDS = 200  # of a wait, after which Python handles signals
_TEXT = 4096  # bytes of the first buffer for a text


class _Functions:
    """The functions of the library by their names. The first use of an attribute loads the library.

    Look a function up whenever it is called: after a fork, the attributes are functions that raise ``ForkedError``.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._forked = False

    def __getattr__(self, name: str) -> Function:
        if name not in _abi.FUNCTIONS:
            raise AttributeError(name)
        with self._lock:
            if name not in self.__dict__:
                self.__dict__.update(_load())
        function: Function = self.__dict__[name]
        return function

    @property
    def forked(self) -> bool:
        """Whether the process was forked after the library had been loaded."""
        return self._forked

    def fork(self) -> None:
        """Makes the functions raise ``ForkedError``, if the library has been loaded."""
        self._lock = Lock()
        if "st_abi" in self.__dict__:
            self._forked = True
            self.__dict__.update(dict.fromkeys(_abi.FUNCTIONS, _refuse))


def _refuse(*_: object) -> NoReturn:
    raise ForkedError(
        "this process was forked after its parent had loaded the sandtable library, which cannot work in it; start "
        'processes with multiprocessing.get_context("forkserver") or "spawn"'
    )


def _path() -> Path:
    suffix = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
    given = os.environ.get("SANDTABLE_LIBRARY")
    return Path(given) if given else Path(__file__).with_name("libsandtable" + suffix)


def _load() -> dict[str, Function]:
    path = _path()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        if "initial-exec" in str(error) or "dynamic TLS" in str(error):
            raise UnsupportedPlatformError(
                "sandtable needs glibc: the C library musl of this system (Alpine Linux, for example) cannot load "
                "libraries written in Go"
            ) from error
        raise UnsupportedPlatformError(f"the sandtable library cannot be loaded: {error}") from error
    library.st_abi.restype = ctypes.c_int64
    if (version := library.st_abi()) != _abi.VERSION:
        raise UnsupportedPlatformError(f"{path} has version {version}, must have version {_abi.VERSION}")
    functions: dict[str, Function] = {}
    for name, arguments in _abi.FUNCTIONS.items():
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, ctypes.c_int64
        functions[name] = function
    return functions


lib = _Functions()
"""The functions of the library as ctypes functions: ``lib.st_apply(handle, action)``. Their results are not checked."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lib.fork)


def error(code: int) -> Exception:
    """Returns the exception of a negative result, which can be asked for once."""
    text = _text(lib.st_error, code)
    if not text:
        return Error(f"the error {code} is not known any more")
    fault: dict[str, str] = json.loads(text)
    return _EXCEPTIONS[fault["kind"]](fault["text"])


def _text(function: Function, *arguments: Any) -> bytes:
    """Returns what a function writes to a buffer, whose address and size are its last arguments."""
    size = _TEXT
    while True:
        buffer = ctypes.create_string_buffer(size)
        length = function(*arguments, ctypes.addressof(buffer), size)
        if length < 0:
            raise error(length)
        if length <= size:
            return buffer.raw[:length]
        size = length


def address(array: np.ndarray[Any, Any]) -> int:
    """Returns the address of the first element of an array, which must be C-contiguous."""
    if not array.flags.c_contiguous:
        raise ValueError("an array must be C-contiguous")
    return array.ctypes.data


def _flat(arguments: tuple[Any, ...], keep: list[Any]) -> list[Any]:
    """Returns arguments as the library takes them.

    An array becomes its address and its length in elements, bytes become themselves and their length, None becomes
    null and 0. A list of arrays and Nones becomes the addresses, the sizes in bytes, and the number of its items.
    What must live until the end of the call is appended to keep.
    """
    flat: list[Any] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            flat += address(argument), argument.size
        elif isinstance(argument, bytes):
            flat += argument, len(argument)
        elif argument is None:
            flat += None, 0
        elif isinstance(argument, list):
            pointers = (ctypes.c_void_p * len(argument))(*[None if a is None else address(a) for a in argument])
            sizes = (ctypes.c_int64 * len(argument))(*[0 if a is None else a.nbytes for a in argument])
            keep += pointers, sizes
            flat += ctypes.addressof(pointers), ctypes.addressof(sizes), len(argument)
        else:
            flat.append(index(argument))
    return flat


def begin(name: str, *arguments: Any) -> int:
    """Calls the function ``st_NAME`` and returns its result, which is ``_abi.PENDING`` if it has not ended."""
    keep: list[Any] = []
    result: int = getattr(lib, "st_" + name)(*_flat(arguments, keep))
    if result < 0:
        raise error(result)
    return result


def wait(handle: int) -> int:
    """Waits for the call that a handle has begun and returns its result.

    An exception, such as ``KeyboardInterrupt``, cancels the call.
    """
    try:
        while (result := lib.st_wait(handle, _MILLISECONDS)) == _abi.PENDING:
            pass
    except BaseException:
        lib.st_cancel(handle)
        lib.st_wait(handle, _MILLISECONDS)
        raise
    if result < 0:
        raise error(result)
    return result


def call(name: str, *arguments: Any) -> int:
    """Calls the function ``st_NAME``, waits for its end and returns its result."""
    result = begin(name, *arguments)
    return wait(index(arguments[0])) if result == _abi.PENDING else result


def read(name: str, *arguments: Any) -> bytes:
    """Returns what the function ``st_NAME`` writes to a buffer."""
    keep: list[Any] = []
    return _text(getattr(lib, "st_" + name), *_flat(arguments, keep))


class Handle:
    """An object of the library, which is closed with its handle.

    ``number`` is 0 after that. ``keep`` is kept until then: the arrays to which the library writes.
    """

    __slots__ = ("__weakref__", "_keep", "number")

    def __init__(self, number: int, keep: Any = None) -> None:
        self.number = number
        self._keep = keep

    def close(self) -> None:
        """Closes the object, after waiting for the call that it has begun. A second call does nothing."""
        number = self.number
        if not number or lib.forked:
            return
        while (result := lib.st_close(number)) < 0:
            fault = error(result)
            if not isinstance(fault, BusyError):
                raise fault
            ended = lib.st_wait(number, _MILLISECONDS)
            if ended < 0 and isinstance(failed := error(ended), BusyError):
                raise failed  # another thread uses it
        self.number = 0
        self._keep = None

    def __del__(self) -> None:
        if getattr(self, "number", 0) and not lib.forked:
            self.close()


def open(name: str, *arguments: Any) -> Handle:
    """Calls the function ``st_NAME`` and returns the handle that it opens. Arrays are kept until it is closed."""
    return Handle(call(name, *arguments), [a for a in arguments if isinstance(a, list)])
