#!/usr/bin/env python3
"""An agent for Sandtable in Python's standard library: it captures when it can,
preferring what captures most, and else plays at random. It knows no rules: it asks
for the legal moves. The protocol is described in ../doc.go.

    sandtable arena trench/standard exec:py random --exec py='python3 agent.py'
"""

import random
import sys


def say(*words):
    print(*words, flush=True)


def captures(move):
    """How much a move text takes: c6-f6xd6xe6 in Trench, f5>b9/NW(b11) in Tank Chess."""
    return move.count("x") + move.count("(")


class Agent:
    def __init__(self):
        self.random = random.Random()
        self.legal = []

    def choose(self):
        """Returns the move and how many moves were looked at."""
        most = max(captures(move) for move in self.legal)
        return self.random.choice([m for m in self.legal if captures(m) == most]), len(self.legal)


def main():
    agent = Agent()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "sandtable":
            say("id", "Capturing Python")
            say("wants legal")
            say("ready")
        elif word == "rules":  # after variant; an agent for one game looks at both
            say("ready")
        elif word == "newgame":
            agent.random.seed(int(rest))
            say("ready")
        elif word == "legal":
            agent.legal = rest.split()
        elif word == "go":  # rest begins with the number of the question
            move, nodes = agent.choose()
            say("move", rest.split()[0], move, "nodes", nodes, "depth", 1)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
