"""Wishes become target paths: refusals first, then what each kind of intent asks for."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.errors import AskedWrongly, UnknownName
from sidestep.intent import Crowd, Goal, Path, Script, Stick, Wishes, intent_from_plain, intent_to_plain
from sidestep.world import Published


def test_what_intents_refuse() -> None:
    nan = float("nan")
    for wrong, words in (
        (lambda: Stick(forward=nan), "not finite"),
        (lambda: Goal(nan, 0.0), "not finite"),
        (lambda: Path(((0.0, 0.0),)), "two finite points"),
        (lambda: Path(((0.0, 0.0), (1.0, nan))), "two finite points"),
        (lambda: Path(((1.0, 1.0), (1.0, 1.0))), "all its points are the same"),
        (lambda: Path(((0.0, 0.0), (1.0, 0.0)), speed=0.0), "a speed above zero"),
        (lambda: Script((0.0, 0.0), ((0.0, 0.0), (1.0, 0.0))), "increasing times"),
        (lambda: intent_to_plain("forward"), "is no intent"),
        (lambda: intent_from_plain({"kind": "stick", "forward": "fast"}), "intent 'stick'"),
    ):
        with pytest.raises(AskedWrongly, match=words):
            wrong()
    with pytest.raises(UnknownName, match="no key 'forwards'; nearest: 'forward'"):
        intent_from_plain({"kind": "stick", "forwards": 1.0})
    with pytest.raises(UnknownName, match="nearest: 'stick'"):
        intent_from_plain({"kind": "stik"})


@pytest.mark.parametrize(
    "intent",
    [
        Stick(forward=1.0, facing=0.3),
        Goal(1.0, 2.0),
        Path(((0.0, 0.0), (3.0, 4.0)), 1.1, loop=True),
        Script((0.0, 2.0), ((0.0, 1.0), (1.0, 0.0))),
        Crowd(0.0, 5.0),
    ],
)
def test_intents_survive_being_written_down(intent: object) -> None:
    assert intent_from_plain(intent_to_plain(intent)) == intent


def after(seconds: float, intents: list[object], places: list[tuple[float, float, float]]) -> tuple[Wishes, object]:
    """Targets after some time in which nobody moved."""
    seen = Published.of(len(places))
    seen.places[:] = places
    wishes = Wishes(seen.places)
    for number, intent in enumerate(intents):
        wishes.set(number, intent, 0)
    targets = None
    for tick in range(round(60 * seconds) + 1):
        targets = wishes.targets(tick, seen)
    return wishes, targets


def test_a_stick_is_taken_up_by_a_spring() -> None:
    place = (2.0, 3.0, 0.0)
    _, early = after(0.0, [Stick(forward=1.5)], [place])
    _, late = after(2.0, [Stick(forward=1.5)], [place])
    # The path begins where the character stands; at first it hardly leads away, later as fast as the stick says.
    assert early.positions[0, 0, 1] - 3.0 < 0.4
    assert late.positions[0, :, 1] - 3.0 == pytest.approx([0.5, 1.0, 1.5], abs=0.02)
    assert late.positions[0, :, 0] == pytest.approx(2.0, abs=1e-6)
    _, aside = after(2.0, [Stick(left=1.0)], [place])
    assert aside.directions[0, 2] == pytest.approx([1.0, 0.0], abs=0.02)
    _, strafe = after(2.0, [Stick(left=1.0, facing=0.0)], [place])
    assert strafe.directions[0, 2] == pytest.approx([0.0, 1.0], abs=0.02)


def test_turned_worlds_give_turned_targets() -> None:
    angle = 0.9
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    x, z = turn @ [0.4, 1.2]
    _, one = after(0.4, [Stick(left=0.4, forward=1.2)], [(0.0, 0.0, 0.2)])
    _, two = after(0.4, [Stick(left=float(x), forward=float(z))], [(0.0, 0.0, 0.2 + angle)])
    assert two.positions[0] == pytest.approx(one.positions[0] @ turn.T, abs=1e-9)
    assert two.directions[0] == pytest.approx(one.directions[0] @ turn.T, abs=1e-9)


def test_a_goal_is_slowed_down_to_and_stood_at() -> None:
    _, targets = after(3.0, [Goal(0.0, 10.0), Goal(0.0, 0.5), Goal(0.0, 0.1)], [(0.0, 0.0, 0.0)] * 3)
    assert targets.speeds[0] == pytest.approx(1.3, abs=0.01)
    assert 0.3 < targets.speeds[1] < 1.0
    assert targets.speeds[2] == pytest.approx(0.0, abs=1e-3)


def test_a_path_runs_with_time_or_waits() -> None:
    points = ((0.0, 0.0), (0.0, 20.0))
    _, runs = after(5.0, [Path(points, 1.0)], [(0.0, 0.0, 0.0)])
    assert runs.positions[0, :, 1] == pytest.approx([5 + 1 / 3, 5 + 2 / 3, 6.0], abs=1e-6)
    wishes, waits = after(5.0, [Path(points, 1.0, waits=True)], [(0.0, 0.0, 0.0)])
    assert waits.positions[0, 2, 1] < 2.0
    assert wishes.reached[0] < 1.0
    _, over = after(3.0, [Path(((0.0, 0.0), (0.0, 1.0)), 1.0)], [(0.0, 0.0, 0.0)])
    assert over.positions[0] == pytest.approx(np.tile([0.0, 1.0], (3, 1)))
    assert over.speeds[0] == 0.0
    path = Path(((0.0, 0.0), (3.0, 0.0), (3.0, 4.0)))
    assert path.length == pytest.approx(7.0)
    away, mile = path.nearest(np.array([[1.0, 1.0], [4.0, 2.0]]))
    assert away == pytest.approx([1.0, 1.0])
    assert mile == pytest.approx([1.0, 5.0])


def test_a_script_goes_by_the_clock() -> None:
    script = Script((0.0, 2.0), ((0.0, 1.0), (1.0, 0.0)))
    _, early = after(1.5, [script], [(0.0, 0.0, 0.0)])
    _, late = after(4.0, [script], [(0.0, 0.0, 0.0)])
    assert early.positions[0, 2, 1] > 0.8
    assert late.positions[0, 2, 0] > 0.9


def test_the_crowd_rule_steers_past_whom_it_sees() -> None:
    places = [(0.0, 0.0, 0.0), (0.1, 2.0, np.pi)]
    _, met = after(1.5, [Crowd(0.0, 9.0), Stick()], places)
    assert met.positions[0, 2, 0] < -0.1  # they stand a little to the left, so to the right
    _, behind = after(1.5, [Crowd(0.0, 9.0), Stick()], [(0.0, 0.0, 0.0), (0.1, -2.0, 0.0)])
    assert behind.positions[0, 2, 0] == pytest.approx(0.0, abs=0.02)
    assert np.linalg.norm(met.positions[0, 2]) == pytest.approx(np.linalg.norm(behind.positions[0, 2]), rel=0.05)
