"""The exceptions of the package. A bad argument raises ``ValueError`` instead."""


class Error(Exception):
    """The base class of the exceptions of this package."""


class IllegalActionError(Error):
    """An action is not legal in the position."""


class ClosedError(Error):
    """A batch, agent or loader was used after it was closed."""


class BusyError(Error):
    """An object was used by two threads at the same time."""


class ForkedError(Error):
    """The process was forked after its parent had loaded the library, so the library does not work in it.

    Start child processes with ``multiprocessing.get_context("forkserver")`` or ``"spawn"``.
    """


class UnsupportedPlatformError(Error):
    """The library cannot be loaded on this platform."""
