from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandtable
from sandtable.data import Loader, unpack

torch = pytest.importorskip("torch")

from sandtable.torch import (  # noqa: E402
    LoaderDataset,
    MaskedCategorical,
    SlotPolicyHead,
    Unpack,
    legal_log_probs,
    legal_mask,
    policy_loss,
    slot_factors,
    tensors,
    unpack_mask,
)


@pytest.mark.parametrize("variant", ["trench/standard", "ntxuva/basic", "tankbattle/standard", "tankchess/16x16"])
def test_unpack_gives_the_planes(variant: str) -> None:
    game = sandtable.load(variant)
    state = game.new_state()
    rng = np.random.default_rng(1)
    bits, scalars, planes, masks, legal = [], [], [], [], []
    while len(bits) < 20 and not state.terminal:
        packed = state.observe_bits()
        bits.append(packed[0])
        scalars.append(packed[1])
        planes.append(state.observe())
        actions = state.legal_actions()
        mask = np.zeros(game.spec.mask_words * 64, np.uint8)
        mask[actions] = 1
        masks.append(np.packbits(mask, bitorder="little").view(np.int64))
        legal.append(state.legal_mask().astype(bool))
        state.apply(int(rng.choice(actions)))
    words, values = torch.from_numpy(np.stack(bits).view(np.int64)), torch.from_numpy(np.stack(scalars))
    assert np.array_equal(Unpack(game.spec, scale=False)(words, values).numpy(), np.stack(planes))
    assert np.array_equal(unpack(game.spec, np.stack(bits), np.stack(scalars)), np.stack(planes))
    scaled = Unpack(game.spec)(words, values).numpy()
    highs = np.array([max(1, p.maximum) for p in game.spec.planes])[:, None, None]
    assert np.allclose(scaled, np.stack(planes) / highs, atol=1e-6)
    assert np.array_equal(unpack_mask(torch.from_numpy(np.stack(masks)), game.spec.actions).numpy(), np.stack(legal))


def test_masked_distribution() -> None:
    torch.manual_seed(1)
    logits = (torch.randn(64, 50) * 3).requires_grad_()
    mask = torch.rand(64, 50) < 0.2
    mask[:, 7] = True
    mask[0] = False
    mask[0, 49] = True
    dist = MaskedCategorical(logits, mask)
    for i in range(64):
        plain = torch.distributions.Categorical(logits=logits[i][mask[i]])
        assert torch.allclose(dist.probs[i][mask[i]], plain.probs, atol=1e-6)
        assert dist.entropy()[i].item() == pytest.approx(plain.entropy().item(), abs=1e-5)
    assert (dist.probs[~mask] == 0).all()
    for _ in range(20):
        actions = dist.sample()
        assert mask[torch.arange(64), actions].all()
    assert torch.allclose(dist.log_prob(actions), dist.log_probs[torch.arange(64), actions])
    assert mask[torch.arange(64), dist.mode].all()
    (dist.entropy().sum() + dist.log_prob(actions).sum()).backward()
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[~mask] == 0).all()
    half = MaskedCategorical(logits.detach().bfloat16(), mask)
    assert half.log_probs.dtype == torch.float32


def test_legal_log_probs_are_those_of_the_mask(trench: Path) -> None:
    loader = Loader(trench, batch=128, shuffle=500)
    batch = tensors(loader.next())
    actions = loader.game.spec.actions
    logits = torch.randn(128, actions, requires_grad=True)
    mask = legal_mask(batch["legal_offsets"], batch["legal_actions"], actions)
    dist = MaskedCategorical(logits, mask)
    sparse = legal_log_probs(logits, batch["legal_offsets"], batch["legal_actions"])
    assert torch.allclose(sparse, dist.log_probs[mask], atol=1e-5)
    dense = torch.zeros(128, actions)
    dense[mask] = batch["policy"]
    want = -(dense * dist.log_probs).sum() / batch["policy_weight"].sum()
    loss = policy_loss(logits, batch)
    assert loss.item() == pytest.approx(want.item(), rel=1e-5)
    loss.backward()
    assert torch.isfinite(logits.grad).all()


def test_slot_head_follows_the_pieces() -> None:
    torch.manual_seed(1)
    slots, each = 4, 6
    factors = [(k, j) for k in range(slots) for j in range(each)] + [(-1, 0)]
    assert slot_factors([slots, 2, 3], slots * each + 1).tolist() == [list(f) for f in factors]
    head = SlotPolicyHead(5, [2, 0, 3, 1], factors)
    trunk = torch.randn(3, 5, 7, 7)
    planes = torch.zeros(3, 6, 7, 7)
    planes[0, 2, 4, 5] = 1  # slot 0 of the first row stands here
    logits = head(trunk, planes)
    assert logits.shape == (3, slots * each + 1)
    mean = trunk.mean((2, 3))
    want = head.each(torch.cat((trunk[0, :, 4, 5], mean[0])))
    assert torch.allclose(logits[0, :each], want, atol=1e-5)
    gone = head.each(torch.cat((torch.zeros(5), mean[0])))
    assert torch.allclose(logits[0, each : 2 * each], gone, atol=1e-5)
    assert torch.allclose(logits[:, -1:], head.others(mean), atol=1e-5)
    planes[0, 2, 4, 5], planes[0, 2, 1, 1] = 0, 1
    assert torch.allclose(head(trunk, planes)[0, :each], head.each(torch.cat((trunk[0, :, 1, 1], mean[0]))), atol=1e-5)
    with pytest.raises(ValueError, match="slots from -1 to 3"):
        SlotPolicyHead(5, [2, 0, 3, 1], [(4, 0)])


def test_slot_head_of_a_game() -> None:
    game = sandtable.load("tankchess/16x16")
    spec, state = game.spec, game.new_state()
    head = SlotPolicyHead.of(spec, 8)
    planes = torch.from_numpy(state.observe()).float().unsqueeze(0)
    trunk = torch.randn(1, 8, spec.height, spec.width)
    logits = head(trunk, planes)
    assert logits.shape == (1, spec.actions)
    action = int(state.legal_actions()[0])
    slot, number = slot_factors([f.size for f in spec.action_factors], spec.actions)[action]
    y, x = planes[0, spec.slot_planes[slot]].nonzero()[0].tolist()
    want = head.each(torch.cat((trunk[0, :, y, x], trunk.mean((2, 3))[0])))[number]
    assert logits[0, action].item() == pytest.approx(want.item(), abs=1e-5)
    with pytest.raises(ValueError, match="do not belong to slots"):
        SlotPolicyHead.of(sandtable.load("trench/standard").spec, 8)


def test_loader_dataset_resumes_and_trains(trench: Path) -> None:
    dataset = LoaderDataset(Loader(trench, batch=64, shuffle=500, seed=2))
    batches = iter(torch.utils.data.DataLoader(dataset, batch_size=None))
    next(batches)
    state = dataset.state_dict()
    want = next(batches)
    dataset.load_state_dict(state)
    got = next(iter(dataset))
    assert all(torch.equal(want[k].nan_to_num(), got[k].nan_to_num()) for k in want)
    spec = dataset.loader.game.spec
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(int(np.prod(spec.observation_shape)), spec.actions))
    optimiser, view = torch.optim.Adam(net.parameters(), 3e-3), Unpack(spec)
    losses = []
    for _ in range(30):
        loss = policy_loss(net(view(want["bits"], want["scalars"])), want)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2
