"""Trees for the background: trunks that fork, and crowns of thousands of leaves, each a facet of its own."""

import math

import numpy as np


def tree(stage, bark, leaves, at, tall, spread, seed, count=5000, leaf=0.07, bare=0.34, droop=0.0):
    """One tree. `leaves` is a list of coats that share the crown between them; bare is the height, as a share,
    at which branches begin."""
    chance = np.random.default_rng(seed)
    tips = _branches(stage, bark, np.array([*at, 0.0]), tall, spread, bare, chance)
    per_coat = count // len(leaves)
    for coat in leaves:
        twig = tips[chance.integers(0, len(tips), per_coat)]
        centre = twig + chance.normal(0, 1, (per_coat, 3)) * np.array([0.13, 0.13, 0.10]) * spread
        centre[:, 2] -= droop * np.abs(chance.normal(0, 1, per_coat)) * spread
        stage.place(_leaves(stage, centre, leaf, chance), coat=coat)


def litter(stage, coats, x, y, count, leaf, seed, z=0.015):
    """Fallen leaves or petals, lying almost flat."""
    chance = np.random.default_rng(seed)
    for coat in coats:
        many = count // len(coats)
        centre = np.stack(
            [chance.uniform(*x, many), chance.uniform(*y, many), z + chance.uniform(0, 0.02, many)], -1
        )
        stage.place(_leaves(stage, centre, leaf, chance, flat=0.18), coat=coat)


def _branches(stage, bark, foot, tall, spread, bare, chance):
    """The trunk and three orders of branches; returns where leaves grow."""
    lean = chance.normal(0, 0.04, 2)
    trunk = [
        foot + np.array([lean[0] * t, lean[1] * t, t]) * tall * bare * 1.25 for t in np.linspace(0, 1, 6)
    ]
    radius = tall * 0.022
    _limb(stage, bark, trunk, radius, radius * 0.7)
    tips, open_ends = (
        [],
        [
            (trunk[-1], np.array([0, 0, 1.0]), tall * (1 - bare) * 0.55, radius * 0.7, 0),
            (trunk[-2], np.array([0, 0, 1.0]), tall * (1 - bare) * 0.45, radius * 0.6, 0),
        ],
    )
    while open_ends:
        start, heading, length, thick, order = open_ends.pop()
        for _ in range(4 if order == 0 else 3):
            turn = chance.normal(0, 1, 3) * (0.75, 0.75, 0.35)
            away = heading + turn * (spread / tall * 1.6)
            away /= np.linalg.norm(away)
            end = start + away * length * chance.uniform(0.7, 1.1)
            middle = (start + end) / 2 + chance.normal(0, 0.06, 3) * length
            _limb(stage, bark, [start, middle, end], thick * 0.6, thick * 0.3)
            tips += [middle, end]
            if order < 2:
                open_ends.append((end, away, length * 0.62, thick * 0.5, order + 1))
    return np.array(tips)


def _limb(stage, bark, points, thick, thin):
    points = np.array(points)
    sides = 8
    rings = []
    for k, point in enumerate(points):
        heading = points[min(k + 1, len(points) - 1)] - points[max(k - 1, 0)]
        heading = heading / np.linalg.norm(heading)
        across = np.cross(heading, [0.3, 0.9, 0.2])
        across /= np.linalg.norm(across)
        other = np.cross(heading, across)
        size = thick + (thin - thick) * k / (len(points) - 1)
        angles = np.linspace(0, math.tau, sides + 1)
        rings.append(point + size * (np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * other))
    x, y, z = np.moveaxis(np.array(rings), -1, 0)
    stage.sheet(x, y, z, bark)


def _leaves(stage, centre, leaf, chance, flat=1.0):
    """Pointed ovals of two triangles, turned every way, or nearly flat."""
    many = len(centre)
    along, across = chance.normal(0, 1, (many, 3)), chance.normal(0, 1, (many, 3))
    along[:, 2] *= flat
    across[:, 2] *= flat
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across -= (across * along).sum(1, keepdims=True) * along
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    size = leaf * chance.uniform(0.6, 1.3, (many, 1))
    corners = np.stack(
        [
            centre - along * size,
            centre + across * size * 0.55,
            centre + along * size,
            centre - across * size * 0.55,
        ],
        1,
    )
    return stage.dense_mesh(corners.reshape(-1, 3), np.arange(many * 4).reshape(-1, 4))
