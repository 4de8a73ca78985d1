"""A polar explorer: quilted parka with the hood up, a thick ruff of fur around the face, webbing and toggles."""

import math

import numpy as np

import garment
from develop import Grade
from figure import on_canvas, portrait_camera

COLLAR = 1.424
OPENING = 0.092

COSTUME = {
    'title': 'Explorer',
    'tags': (
        'explorer, polar explorer, arctic explorer, expedition, adventurer, mountaineer, climber, alpinist, parka, '
        'anorak, antarctica, north pole, south pole, everest, winter coat'
    ).split(', '),
    'hooded': True,
    'opening': {
        'left': on_canvas(-OPENING, 0, COLLAR)[0],
        'right': on_canvas(OPENING, 0, COLLAR)[0],
        'rim': on_canvas(0, -0.09, COLLAR - 0.002)[1],
    },
    'light': {
        'key': 0.24,
        'direction': [-0.5, 0.6, 0.62],
        'color': [1.0, 0.95, 0.88],
        'fill': [0.6, 0.7, 0.86],
    },
    'scenes': ['aurora', 'ice-cave', 'alpine-lake'],
}
CAMERA = portrait_camera()
SAMPLES, SHARE = 12, 0.75
LAYERS = ('back', 'front')
TRACE = {'bounces': 4, 'clamp': 4.0}
GRADE = Grade(exposure=0.15, contrast=1.28, saturation=1.05)
DYE = (0.52, 0.115, 0.012)


def build(stage):
    stage.clear(51)
    shell = garment.cloth(stage, DYE, 900, 0.0006, 0.8, 0.62, 0.2)
    dark = garment.cloth(stage, (0.022, 0.024, 0.028), 420, 0.0012, 0.8, 0.8, 0.2)
    fleece = garment.cloth(stage, (0.10, 0.085, 0.065), 200, 0.003, 0.7, 0.95, 0.8)
    steel = garment.metal(stage, (0.5, 0.5, 0.52), 0.3)
    parka, nape, surface = _parka(stage, shell)
    outside, inside, rim = garment.hood(stage, shell, fleece, half=(0.126, 0.162), ahead=-0.070, seed=51)
    front = [parka, outside, *_ruff(stage, rim)]
    front += _collar(stage, shell, dark)
    front += _fastenings(stage, surface, dark, steel)
    garment.studio(
        stage,
        84,
        (1, 0.95, 0.88),
        10,
        (0.68, 0.82, 1.0),
        ((46, (1, 0.86, 0.7)), (72, (0.66, 0.82, 1.0))),
        strength=0.34,
    )
    return {'back': [inside, nape], 'front': front}


def _parka(stage, shell):
    """Down in baffles: horizontal chambers, pulled in at the seams."""
    from solid import Volume, joined

    space = Volume((-0.50, -0.30, 0.72), (0.50, 0.28, 1.46), 0.0042, 51)
    trunk, arms = garment.body(space, 0.026, 1.2, 0.8)
    seam = (space.z + 0.04 * np.abs(space.x) - 1.0) / 0.062
    chamber = np.abs(np.sin(seam * math.pi)) ** 0.55
    pucker = np.exp(-((((seam + 0.5) % 1 - 0.5) / 0.13) ** 2))
    puckers = space.wrinkles((0.007, 0.007, 0.02))
    trunk = trunk - 0.013 * chamber + 0.0026 * pucker * puckers
    along = (np.abs(space.x) * 0.25 + space.z - 1.0) / 0.070
    sleeve = np.abs(np.sin(along * math.pi)) ** 0.55
    arms = arms - 0.011 * sleeve + 0.0022 * np.exp(-((((along + 0.5) % 1 - 0.5) / 0.13) ** 2)) * puckers
    return garment.sewn(stage, space, joined(trunk, arms, 0.014), shell, hole=(0.105, 0.09), top=1.44)


def _ruff(stage, rim):
    """Long fur all around the hood's edge: a tube that it grows from, outwards."""
    hair = garment.pelt(stage, (0.62, 0.52, 0.40), (0.075, 0.050, 0.034))
    under = stage.material((0.10, 0.07, 0.05), 0.9)
    line = garment.smoothed(rim, 4)
    centre = np.array([0, -0.05, 1.574])
    turn = np.linspace(-1.3, 1.75, 14)  # not on the inside, where the face is
    radius = 0.015
    outward = line - centre
    outward[:, 1] = 0
    outward /= np.linalg.norm(outward, axis=1)[:, None]
    forward = np.array([0, -1.0, 0])
    rings = np.stack(
        [line + 0.010 * outward + radius * (math.cos(t) * outward + math.sin(t) * forward) for t in turn]
    )
    roll = stage.sheet(rings[..., 0].T, rings[..., 1].T, rings[..., 2].T, under)
    return [garment.fur(stage, roll, 0.034, 4200, hair, 5, width=0.0013, curl=1.1, children=7)]


def _collar(stage, shell, dark):
    """The parka's own collar, closed up to the chin, with a soft black edge."""

    def puffed(angle, share):
        wide = 0.128 - 0.026 * share + 0.012 * np.abs(np.sin(share * math.pi * 2)) ** 0.6
        return wide, wide * 0.88, 1.325 + (COLLAR - 1.325) * share

    before, _ = garment.round_neck(stage, shell, puffed, 0.005, 0.0015, (300, 90))
    edge = garment.knitted_collar(stage, dark, COLLAR + 0.006, 1.385, (0.100, 0.082), 0.87, 70, 0.0014)
    return [before, edge]


def _fastenings(stage, surface, dark, steel):
    things = []
    line = garment.along_surface(surface, [(0.0, z) for z in np.linspace(0.80, 1.345, 140)], 0.002)
    line = garment.smoothed(line, 40)
    line[:, 1] -= 0.006
    things += garment.zip_fastener(stage, line, steel, dark)
    for side in (-1, 1):
        strap_x = side * 0.128
        path = [(strap_x - side * 0.012 * k, 1.375 - 0.55 * k) for k in np.linspace(0, 1, 120)]
        band = garment.smoothed(garment.along_surface(surface, path, 0.004), 30)
        band[:, 1] -= 0.006
        top = band[0]
        over = [top + np.array([0, 0.085 * k, 0.026 * math.sin(2.4 * k)]) for k in np.linspace(1, 0.1, 12)]
        things.append(garment.strap(stage, np.vstack([over, band]), 0.042, dark, 0.005))
        buckle = band[52]
        things.append(
            stage.box(
                tuple(buckle + np.array([0, -0.006, 0])),
                (0.052, 0.010, 0.030),
                dark,
                (0.05, 0, side * 0.2),
                bevel=0.004,
            )
        )
        things.append(
            stage.box(
                tuple(buckle + np.array([0, -0.011, 0])),
                (0.030, 0.006, 0.012),
                steel,
                (0.05, 0, side * 0.2),
                bevel=0.002,
            )
        )
    path = [(x, 1.165 + 0.004 * math.cos(x * 20)) for x in np.linspace(-0.118, 0.118, 60)]
    band = garment.smoothed(garment.along_surface(surface, path, 0.004), 20)
    band[:, 1] -= 0.010
    things.append(garment.strap(stage, band, 0.020, dark, 0.004, across=(0, 0, 1)))
    centre = band[len(band) // 2]
    things.append(
        stage.box(tuple(centre + np.array([0, -0.006, 0])), (0.044, 0.012, 0.030), dark, bevel=0.004)
    )
    return things
