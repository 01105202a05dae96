"""Springs (RMM 3.2.3)."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.motion import quaternion as quat
from sidestep.motion.spring import decay, follow, follow_rotation, rate, steer

HALFLIFE = 0.25


def test_one_long_step_is_many_short_ones() -> None:
    x, v = np.array([1.0, -2.0]), np.array([3.0, 0.5])
    long = decay(x, v, HALFLIFE, 0.6)
    for _ in range(60):
        x, v = decay(x, v, HALFLIFE, 0.01)
    assert np.stack([x, v]) == pytest.approx(np.stack(long), abs=1e-9)


def test_the_papers_equation_nine() -> None:
    x0, v0, t, omega = 1.3, -0.4, 0.37, rate(HALFLIFE)
    expected = (x0 + (v0 + omega * x0) * t) * np.exp(-omega * t)
    assert decay(np.array(x0), np.array(v0), HALFLIFE, t)[0] == pytest.approx(expected)


def test_it_obeys_the_springs_equation() -> None:
    y, h = rate(HALFLIFE), 1e-4
    x, v = np.array(0.8), np.array(-1.1)
    at = [decay(x, v, HALFLIFE, 0.2 + k * h)[0] for k in (-1, 0, 1)]
    acceleration = (at[0] - 2 * at[1] + at[2]) / h**2
    velocity = (at[2] - at[0]) / (2 * h)
    assert acceleration + 2 * y * velocity + y**2 * at[1] == pytest.approx(0, abs=1e-4)


def test_no_step_size_makes_it_explode() -> None:
    x, v = decay(np.array([1.0]), np.array([50.0]), 0.05, 100.0)
    assert abs(x[0]) < 1e-12
    assert abs(v[0]) < 1e-12


def test_following_a_moving_goal_lags_by_nothing_in_the_end() -> None:
    x, v, goal, speed = np.zeros(1), np.zeros(1), np.zeros(1), 1.4
    for _ in range(600):
        goal = goal + speed / 60
        x, v = follow(x, v, goal, speed, HALFLIFE, 1 / 60)
    # The goal's place is given after its step: the spring stays one step's rounding behind.
    assert x[0] == pytest.approx(goal[0], abs=0.03)
    assert v[0] == pytest.approx(speed, rel=1e-3)


def test_steering_integrates_its_own_velocity() -> None:
    start = (np.zeros(2), np.array([0.2, 1.0]), np.array([0.0, -3.0]))
    goal = np.array([1.5, 0.0])
    times = np.linspace(0, 1, 2001)
    place, velocity, _ = steer(*start, goal, HALFLIFE, times[:, None])
    summed = np.cumsum(0.5 * (velocity[1:] + velocity[:-1]), axis=0) * times[1]
    assert place[1:] == pytest.approx(summed, abs=1e-5)
    assert place[0] == pytest.approx(start[0], abs=1e-12)
    assert velocity[-1] == pytest.approx(goal, abs=0.2)


def test_rotations_arrive_the_short_way() -> None:
    start = quat.about("y", np.array([3.0]))
    goal = quat.about("y", np.array([-3.0]))
    q, spin = start, np.zeros((1, 3))
    turned = 0.0
    for _ in range(240):
        before = q
        q, spin = follow_rotation(q, spin, goal, HALFLIFE, 1 / 60)
        turned += float(quat.angle(quat.multiply(quat.inverse(before), q))[0])
    assert turned == pytest.approx(2 * np.pi - 6.0, abs=1e-3)
