# %% [markdown]
# # A game in a notebook
#
# Run the cells in Jupyter, VS Code or Spyder. `python notebook.py --out FOLDER` runs them without a
# window and writes the pictures to files.

# %%
import argparse
from pathlib import Path

import numpy as np

import sandtable

parser = argparse.ArgumentParser()
parser.add_argument("--out", type=Path, help="folder for the pictures")
options, _ = parser.parse_known_args()


def save(name, text):
    """Writes a picture if there is a folder for it."""
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / name).write_text(text, encoding="utf-8")


# %% [markdown]
# A state at the end of a cell shows its board.

# %%
game = sandtable.load("ntxuva/basic")
state = game.new_state()
save("start.svg", state._repr_svg_())
state  # noqa: B018

# %% [markdown]
# Forty random plies later.

# %%
rng = np.random.default_rng(7)
for _ in range(40):
    if not state.terminal:
        state.apply(int(rng.choice(state.legal_actions())))
save("middle.svg", state._repr_svg_())
state  # noqa: B018

# %% [markdown]
# How long are random games? A batch plays 256 of them side by side.

# %%
batch = sandtable.Batch(game, 256, outputs=("list", "final_info"))
batch.reset(seed=1)
lengths = []
while len(lengths) < 2000:
    batch.step(batch.sample())
    lengths.extend(batch.final_plies[batch.terminated | batch.truncated])
counts, edges = np.histogram(lengths, bins=20)
print(f"{len(lengths)} games of {np.mean(lengths):.0f} plies on average")

# %% [markdown]
# The plot needs matplotlib. Without it, the cell prints the bars.

# %%
try:
    from matplotlib.figure import Figure
except ImportError:
    for count, edge in zip(counts, edges, strict=False):
        print(f"{edge:6.0f} {'#' * int(60 * count / counts.max())}")
else:
    figure = Figure(figsize=(6, 3))
    axes = figure.subplots()
    axes.stairs(counts, edges, fill=True)
    axes.set(xlabel="plies", ylabel="games", title=game.title)
    if options.out:
        figure.savefig(options.out / "lengths.png")
