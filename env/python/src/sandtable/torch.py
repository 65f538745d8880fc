"""Tools for PyTorch: unpacking on the device, masked distributions, a policy head for slots, a data loader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn
from torch.utils.data import IterableDataset, get_worker_info

from .data import Loader, Rows
from .spec import Spec

MASKED = -1e9
"""The logit of an illegal action. It is finite, so that neither a loss nor a gradient becomes NaN."""


def tensors(rows: Rows, device: torch.device | str | None = None) -> dict[str, Tensor]:
    """Returns the arrays of a batch as tensors on a device, by name.

    ``bits`` is int64, because tensors of uint64 lack most functions; ``Unpack`` takes it as it is. ``wdl`` is int64, as
    losses take classes.
    """
    moved = {}
    for name, array in rows.arrays().items():
        tensor = torch.from_numpy(array.view(np.int64) if name == "bits" else array)
        if name == "wdl":
            tensor = tensor.long()
        moved[name] = tensor if device is None else tensor.to(device, non_blocking=True)
    return moved


def _bits(words: Tensor) -> Tensor:
    """Returns uint8 ``(B, 64 * W)``: the bits of int64 words ``(B, W)``, the least significant first."""
    octets = words.contiguous().view(torch.uint8)
    shifts = torch.arange(8, dtype=torch.uint8, device=words.device)
    return ((octets.unsqueeze(-1) >> shifts) & 1).flatten(1)


def unpack_mask(words: Tensor, actions: int) -> Tensor:
    """Returns the mask bool ``(B, A)`` of packed masks int64 ``(B, mask_words)``."""
    return _bits(words)[:, :actions].bool()


def legal_mask(offsets: Tensor, legal: Tensor, actions: int) -> Tensor:
    """Returns the mask bool ``(B, A)`` of lists of legal actions."""
    mask = torch.zeros(len(offsets) - 1, actions, dtype=torch.bool, device=legal.device)
    mask[row_of(offsets, len(legal)), legal.long()] = True
    return mask


def row_of(offsets: Tensor, length: int) -> Tensor:
    """Returns the row int64 ``(L,)`` of each element of lists that follow one another."""
    rows = torch.arange(len(offsets) - 1, device=offsets.device)
    return rows.repeat_interleave((offsets[1:] - offsets[:-1]).long(), output_size=length)


class Unpack(nn.Module):
    """Makes observation planes of packed observations, on the device where they are.

    Packed observations have a third to a tenth of the bytes of the planes, so send them to the device as they are.

    Args:
        spec: The game's spec.
        scale: Divides each plane by its maximum, so that all values are from 0 to 1.
        dtype: Type of the planes.
    """

    def __init__(self, spec: Spec, scale: bool = True, dtype: torch.dtype = torch.float32) -> None:
        super().__init__()
        self.shape = spec.observation_shape
        self.dtype = dtype
        packed = [i for i, p in enumerate(spec.planes) if not p.uniform for _ in range(p.maximum.bit_length())]
        shifts = [j for p in spec.planes if not p.uniform for j in range(p.maximum.bit_length())]
        factors = [1 / max(1, p.maximum) if scale else 1.0 for p in spec.planes]
        self.single = len(set(packed)) == len(packed)
        uniform = [i for i, p in enumerate(spec.planes) if p.uniform]
        self.register_buffer("plane_of_bit", torch.tensor(packed), persistent=False)
        self.register_buffer("plane_of_scalar", torch.tensor(uniform, dtype=torch.int64), persistent=False)
        weights = [factors[i] * 2**j for i, j in zip(packed, shifts, strict=True)]
        self.register_buffer("bit_weight", torch.tensor(weights), persistent=False)
        self.register_buffer("scalar_weight", torch.tensor([factors[i] for i in uniform]), persistent=False)

    def forward(self, bits: Tensor, scalars: Tensor) -> Tensor:
        """Returns the planes ``(B, P, H, W)`` of bits int64 ``(B, W)`` and scalars uint8 ``(B, S)``."""
        planes, height, width = self.shape
        rows, squares = len(bits), height * width
        flat = _bits(bits).view(rows, len(self.plane_of_bit), -1)[:, :, :squares].to(self.dtype)
        flat = flat * self.bit_weight.to(self.dtype)[:, None]
        out = torch.zeros(rows, planes, squares, dtype=self.dtype, device=bits.device)
        if self.single:
            out[:, self.plane_of_bit] = flat
        else:
            out.index_add_(1, self.plane_of_bit, flat)
        out[:, self.plane_of_scalar] = (scalars.to(self.dtype) * self.scalar_weight.to(self.dtype))[:, :, None]
        return out.view(rows, planes, height, width)


class MaskedCategorical:
    """A distribution over the legal actions of each row.

    Args:
        logits: ``(B, A)``, of any floating type; computed with in float32.
        mask: bool ``(B, A)``: the legal actions.
    """

    def __init__(self, logits: Tensor, mask: Tensor) -> None:
        self.mask = mask
        self.log_probs = torch.log_softmax(logits.float().masked_fill(~mask, MASKED), -1)

    @property
    def probs(self) -> Tensor:
        """Probabilities ``(B, A)``."""
        return self.log_probs.exp()

    @property
    def mode(self) -> Tensor:
        """The likeliest legal action of each row: int64 ``(B,)``."""
        return self.log_probs.argmax(-1)

    def sample(self, generator: torch.Generator | None = None) -> Tensor:
        """Returns a legal action for each row: int64 ``(B,)``."""
        return torch.multinomial(self.probs * self.mask, 1, generator=generator).squeeze(-1)

    def log_prob(self, actions: Tensor) -> Tensor:
        """Returns the logarithm of the probability of an action of each row: ``(B,)``."""
        return self.log_probs.gather(-1, actions.long().unsqueeze(-1)).squeeze(-1)

    def entropy(self) -> Tensor:
        """Returns the entropy of each row in nats: ``(B,)``."""
        return -(self.log_probs.exp() * self.log_probs).masked_fill(~self.mask, 0).sum(-1)


def legal_log_probs(logits: Tensor, offsets: Tensor, legal: Tensor) -> Tensor:
    """Returns the logarithms of the probabilities of the legal actions, float32 ``(L,)``.

    It looks at the legal actions only: with Tank Chess, these are 381 of 5,241.

    Args:
        logits: ``(B, A)``.
        offsets: ``(B + 1,)``.
        legal: The legal actions of all rows ``(L,)``, at least one in each.
    """
    rows = row_of(offsets, len(legal))
    chosen = logits[rows, legal.long()].float()
    most = torch.full((len(logits),), MASKED, device=logits.device)
    most = most.scatter_reduce(0, rows, chosen.detach(), "amax")
    shifted = chosen - most[rows]
    total = torch.zeros_like(most).index_add(0, rows, shifted.exp())
    return shifted - total.log()[rows]


def policy_loss(logits: Tensor, batch: dict[str, Tensor]) -> Tensor:
    """Returns the cross-entropy of the policy targets of a batch by ``tensors``.

    It is the mean over the rows that have a target, weighted by ``weight``.
    """
    log_probs = legal_log_probs(logits, batch["legal_offsets"], batch["legal_actions"])
    rows = row_of(batch["legal_offsets"], len(log_probs))
    loss = -(batch["policy"] * log_probs * batch["weight"][rows]).sum()
    return loss / (batch["policy_weight"] * batch["weight"]).sum().clamp(min=1e-6)


def slot_factors(sizes: Sequence[int], actions: int) -> NDArray[np.int64]:
    """Returns the slot of each action and its number among those of the slot, ``(A, 2)``, for ``SlotPolicyHead``.

    Args:
        sizes: Sizes of the factors of an action number, the slot first and the fastest last.
        actions: Number of actions. Those after the product of the sizes do not belong to a slot.
    """
    each = int(np.prod(sizes[1:], dtype=np.int64))
    all_actions, factored = np.arange(actions), sizes[0] * each
    free = all_actions >= factored
    numbers = np.where(free, all_actions - factored, all_actions % each)
    return np.stack((np.where(free, -1, all_actions // each), numbers), 1)


class SlotPolicyHead(nn.Module):
    """Logits for actions of slots, from the features of the square where each slot's piece stands.

    In Tank Chess, an action is a slot (one of the tanks with which the army starts), a move and a shot. A convolution
    cannot use that, because the number of the slot says where the tank started, and not where it is. This head gathers
    the features at the tank's place with the observation plane of the slot, and computes the logits of all its actions
    from them and from the mean of all squares.

    Args:
        channels: Channels C of the trunk.
        slot_planes: Index of the observation plane of each own slot.
        factors: For each action its slot and the number of the action among those of a slot, ``(A, 2)``; see
            ``slot_factors``. Actions of slot -1 do not belong to a slot; their numbers count them.
        hidden: Width of the hidden layer.
    """

    def __init__(self, channels: int, slot_planes: Sequence[int], factors: ArrayLike, hidden: int = 128) -> None:
        super().__init__()
        table = np.asarray(factors, np.int64)
        slots, free = len(slot_planes), table[:, 0] < 0
        if table.ndim != 2 or table.shape[1] != 2 or table[:, 0].max() >= slots or table[:, 1].min() < 0:
            raise ValueError(f"factors must be (A, 2) with slots from -1 to {slots - 1} and numbers of 0 or more")
        each = int(table[~free, 1].max()) + 1
        others = int(table[free, 1].max()) + 1 if free.any() else 0
        self.each = nn.Sequential(nn.Linear(2 * channels, hidden), nn.ReLU(), nn.Linear(hidden, each))
        self.others = nn.Linear(channels, others) if others else None
        place = np.where(free, slots * each + table[:, 1], table[:, 0] * each + table[:, 1])
        self.register_buffer("place", torch.from_numpy(place), persistent=False)
        self.register_buffer("slot_planes", torch.tensor(list(slot_planes)), persistent=False)

    @classmethod
    def of(cls, spec: Spec, channels: int, hidden: int = 128) -> SlotPolicyHead:
        """Returns a head for a game whose actions belong to slots, such as Tank Chess."""
        if not spec.slot_planes:
            raise ValueError(f"the actions of {spec.name} do not belong to slots")
        factors = slot_factors([factor.size for factor in spec.action_factors], spec.actions)
        return cls(channels, spec.slot_planes, factors, hidden)

    def forward(self, trunk: Tensor, planes: Tensor) -> Tensor:
        """Returns logits ``(B, A)`` from features ``(B, C, H, W)`` and observation planes ``(B, P, H, W)``."""
        slots = planes[:, self.slot_planes].to(trunk.dtype)
        own = torch.einsum("bkhw,bchw->bkc", slots, trunk)
        mean = trunk.mean((2, 3))
        pairs = torch.cat((own, mean.unsqueeze(1).expand_as(own)), -1)
        logits = self.each(pairs).flatten(1)
        if self.others is not None:
            logits = torch.cat((logits, self.others(mean)), 1)
        return logits[:, self.place]


class LoaderDataset(IterableDataset[dict[str, Tensor]]):
    """A ``Loader`` as a data set of PyTorch: it yields whole batches by ``tensors``.

    Use it with ``DataLoader(dataset, batch_size=None)`` and without workers: the loader has threads of Go.

    Args:
        loader: The loader.
        device: Where the tensors go; None leaves them in the memory of the host.
    """

    def __init__(self, loader: Loader, device: torch.device | str | None = None) -> None:
        super().__init__()
        self.loader = loader
        self.device = device

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        if get_worker_info() is not None:
            raise ValueError("LoaderDataset starts threads of Go; use num_workers=0")
        for rows in self.loader:
            yield tensors(rows, self.device)

    def state_dict(self) -> dict[str, Any]:
        """Returns the place in the stream."""
        return {"loader": self.loader.save()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Moves to a place that ``state_dict`` returned."""
        self.loader.restore(state["loader"])
