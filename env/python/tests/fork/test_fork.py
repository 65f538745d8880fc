"""Child processes that are forked before and after the library is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Each program ends itself by an alarm if a call hangs.
HEAD = """
import os, signal, sys
import sandtable
signal.alarm(60)
def child(work):
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)
        try:
            work()
        except sandtable.ForkedError as error:
            assert "forkserver" in str(error)
            os._exit(3)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(4)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""


def run(program):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", HEAD + program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_fork_before_use():
    run("assert child(lambda: sandtable.load('ntxuva/basic').new_state().legal_actions()) == 0\nsandtable.games()")


@pytest.mark.parametrize(
    "work",
    [
        "sandtable.games()",
        "sandtable.load('ntxuva/4')",
        "game.new_state()",
        "state.legal_actions()",
        "state.apply(0)",
        "state.clone()",
        "batch.step(actions)",
        "agent.choose(state)",
    ],
)
def test_fork_after_use(work):
    run(
        "game = sandtable.load('ntxuva/basic')\n"
        "state = game.new_state()\n"
        "batch = sandtable.Batch(game, 4)\n"
        "batch.reset(1)\n"
        "actions = batch.sample()\n"
        "agent = sandtable.Agent('random', game)\n"
        f"assert child(lambda: {work}) == 3\n"
        "batch.step(actions)\n"
    )


def test_objects_end_quietly_in_a_forked_child():
    run(
        "import gc\n"
        "objects = [sandtable.load('ntxuva/basic').new_state(), sandtable.Batch('ntxuva/basic', 2)]\n"
        "def work():\n"
        "    objects[1].close()\n"
        "    objects.clear()\n"
        "    gc.collect()\n"
        "assert child(work) == 0\n"
    )


@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_other_start_methods(method):
    program = f"""
import multiprocessing, pickle
if __name__ == "__main__":
    state = sandtable.load("ntxuva/basic").new_state()
    with multiprocessing.get_context("{method}").Pool(1) as pool:
        assert pool.apply(pickle.loads, (pickle.dumps(state),)).position() == state.position()
"""
    run(program)
