#!/usr/bin/env python3
"""A PyTorch network as an agent for Sandtable. It answers many games in one batch and plays
the legal action with the greatest logit. Without weights it is a random network.

    sandtable arena trench/standard exec:net random --exec net='python3 network.py weights.pt'
"""

import base64
import json
import sys

import torch


def say(*words):
    print(*words, flush=True)


def build(layout):
    """A network from planes to one logit for each action and a value."""
    size = len(layout["planes"]) * layout["height"] * layout["width"]
    torch.manual_seed(1)
    body = torch.nn.Sequential(torch.nn.Linear(size, 128), torch.nn.ReLU())
    net = torch.nn.Sequential(body, torch.nn.Linear(128, layout["actions"] + 1))
    if len(sys.argv) > 1:
        net.load_state_dict(torch.load(sys.argv[1], weights_only=True))
    return net.eval()


@torch.inference_mode()
def answer(net, questions):
    x = torch.tensor([list(q["observation"]) for q in questions], dtype=torch.float32)
    for q, out in zip(questions, net(x)):
        legal = torch.tensor(q["actions"])
        say("move", q["go"], legal[out[legal].argmax()].item(), "value", out[-1].tanh().item())


net, questions, batch = None, [{}], 1
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "sandtable":
        say("protocol 2\nwants observation planes\nwants actions\nwants no position\nwants batch 256\nready")
    elif word == "layout":
        net = build(json.loads(rest))
        say("ready")
    elif word == "batch":
        batch = int(rest)
    elif word == "observation":
        questions[-1]["observation"] = base64.b64decode(rest)
    elif word == "actions":
        questions[-1]["actions"] = [int(a) for a in rest.split()]
    elif word == "go":
        questions[-1]["go"] = rest.split()[0]
        if len(questions) == batch:
            answer(net, questions)
            questions = []
        questions.append({})
    elif word == "quit":
        break
