"""A pilot of the open-cockpit days: brown leather jacket with a shearling collar, a white silk scarf."""

import math

import numpy as np
from scipy.ndimage import gaussian_filter

import garment
from develop import Grade
from figure import on_canvas, portrait_camera

SCARF = 1.428  # the scarf's upper edge under the chin
OPENING = 0.096

COSTUME = {
    'title': 'Pilot',
    'tags': (
        'pilot, aviator, airplane, aeroplane, plane, flying, flight, bomber jacket, leather jacket, squadron, '
        'ace, cockpit'
    ).split(', '),
    'opening': {
        'left': on_canvas(-OPENING, 0, SCARF)[0],
        'right': on_canvas(OPENING, 0, SCARF)[0],
        'rim': on_canvas(0, -0.09, SCARF - 0.004)[1],
    },
    'light': {
        'key': 0.22,
        'direction': [-0.5, 0.6, 0.62],
        'color': [1.0, 0.9, 0.76],
        'fill': [0.6, 0.68, 0.82],
    },
    'scenes': ['alpine-lake', 'ocean-golden', 'dunes-dusk'],
}
CAMERA = portrait_camera()
SAMPLES, SHARE = 12, 0.52  # a little more than half of the canvas is enough for soft cloth
LAYERS = ('back', 'front')
TRACE = {'bounces': 5, 'clamp': 4.0}
GRADE = Grade(exposure=0.25, contrast=1.28, saturation=1.05)


def build(stage):
    stage.clear(5)
    hide = garment.leather(stage, (0.105, 0.043, 0.018), 0.50)
    brass = garment.metal(stage, (0.62, 0.42, 0.17), 0.26)
    steel = garment.metal(stage, (0.5, 0.5, 0.5), 0.28)
    jacket, nape, surface = _jacket(stage, hide)
    front = [jacket, *_details(stage, surface, hide, brass, steel)]
    back = [nape]
    collar_front, collar_back = _collar(stage, surface)
    front += collar_front
    back += collar_back
    front += _scarf(stage)
    garment.studio(
        stage,
        92,
        (1, 0.9, 0.76),
        9,
        (0.7, 0.82, 1.0),
        ((44, (1, 0.8, 0.6)), (70, (0.66, 0.8, 1.0))),
        strength=0.3,
    )
    return {'back': back, 'front': front}


def _jacket(stage, hide):
    from solid import Volume, joined

    space = Volume((-0.46, -0.26, 0.72), (0.46, 0.24, 1.46), 0.0040, 5)
    trunk, arms = garment.body(space, 0.014, 1.25, 1.15)
    whole = joined(trunk, arms, 0.012)
    overlap = np.clip((space.x + 0.004) / 0.004, 0, 1) * (space.y < 0)
    whole = whole - 0.0030 * overlap
    for seam in (0.118,):
        whole = whole + 0.0026 * np.exp(
            -(((np.abs(space.x) - seam - 0.03 * (1.25 - space.z)) / 0.0030) ** 2)
        ) * (space.z < 1.27) * (space.y < 0)
    yoke = 1.262 + 0.03 * np.abs(space.x)
    whole = whole + 0.0028 * np.exp(-(((space.z - yoke) / 0.0032) ** 2)) * (np.abs(space.x) < 0.20) * (
        space.y < 0
    )
    return garment.sewn(stage, space, whole, hide, hole=(0.100, 0.085), top=1.43)


def _details(stage, surface, hide, brass, steel):
    things = []
    tape = garment.cloth(stage, (0.035, 0.022, 0.014))
    line = garment.along_surface(surface, [(-0.004, z) for z in np.linspace(0.80, 1.268, 120)], 0.0015)
    things += garment.zip_fastener(stage, line, brass, tape)
    for side in (-1, 1):
        corners = [
            (side * 0.048, 1.120),
            (side * 0.148, 1.128),
            (side * 0.148, 1.078),
            (side * 0.098, 1.060),
            (side * 0.048, 1.070),
        ]
        things.append(_flap(stage, surface, corners, hide))
        x, z = side * 0.098, 1.076
        things += garment.button(stage, (x, surface(x, z) - 0.008, z), 0.0085, brass, side * 0.25)
    return things


def _flap(stage, surface, corners, hide):
    """A pocket's flap: a sheet between an upper and a lower edge, laid onto the jacket."""
    u, v = np.meshgrid(np.linspace(0, 1, 40), np.linspace(0, 1, 20))
    left, right = corners[0][0], corners[1][0]
    top = np.interp(u[0], [0, 1], [corners[0][1], corners[1][1]])
    low = np.interp(u[0], [0, 0.5, 1], [corners[4][1], corners[3][1], corners[2][1]])
    x = left + (right - left) * u
    z = top[None] + (low - top)[None] * v
    y = np.array([[surface(float(a), float(b)) for a, b in zip(row_x, row_z)] for row_x, row_z in zip(x, z)])
    y = gaussian_filter(y, (3, 5), mode='nearest') - 0.0045 - 0.0015 * np.sin(math.pi * u)
    return garment.solid(stage.sheet(x, y, z, hide), 0.0035, 0.0012)


def _collar(stage, surface):
    """Shearling, turned up behind and open before: leather outside, wool inside and over the edge."""
    wool = garment.pelt(stage, (0.78, 0.66, 0.46), (0.40, 0.29, 0.17))
    under = stage.material((0.45, 0.34, 0.20), 0.9)
    before, behind = [], []
    for half, store in (('before', before), ('behind', behind)):
        if half == 'before':
            pairs = [(-1, np.linspace(0.42, math.pi / 2, 90)), (1, np.linspace(0.42, math.pi / 2, 90))]
        else:
            pairs = [(1, np.linspace(math.pi / 2, 3 * math.pi / 2, 180))]
        for side, angles in pairs:
            angle, share = np.meshgrid(angles, np.linspace(0, 1, 46))
            around = np.clip(angle if half == 'before' else np.minimum(angle, math.tau - angle), 0, math.pi)
            open_front = np.clip((around - 0.42) / 0.9, 0, 1)
            # a roll: up the inside, over the edge, and down the outside as a broad leaf
            turn = share * math.pi * 1.02
            height = 0.030 + 0.030 * open_front
            out = 0.020 + 0.052 * np.clip(turn / math.pi, 0, 1) ** 1.2
            base_wide, base_deep = 0.090 + 0.010 * (1 - open_front), 0.080
            z = (
                1.372
                + 0.020 * open_front
                + height * np.sin(turn) * 1.1
                - 0.078 * np.clip(share - 0.5, 0, 1) * 2 * (1.35 - 0.45 * open_front)
            )
            z = z - 0.060 * (1 - open_front) ** 1.5
            wide = base_wide + out * (1 - np.cos(turn)) * 0.66
            deep = base_deep + out * (1 - np.cos(turn)) * 0.52
            x, y = side * wide * np.sin(angle), 0.005 - deep * np.cos(angle)
            if half == 'before':
                lies = np.array([[surface(float(a), float(b)) for a, b in zip(*row)] for row in zip(x, z)])
                lies = gaussian_filter(lies, 4, mode='nearest')
                y = y + (np.minimum(y, lies - 0.010) - y) * np.clip((share - 0.45) / 0.15, 0, 1)
            x, y, z = garment.lumpy(x, y, z, 2.2, 0.0022, 4 + side)
            if side < 0:
                x, y, z = x[:, ::-1], y[:, ::-1], z[:, ::-1]
            leaf = stage.sheet(x[::-1], y[::-1], z[::-1], under)
            count = 5000 if half == 'before' else 8000
            store.append(
                garment.fur(stage, leaf, 0.012, count, wool, 3 + side, width=0.0016, curl=1.8, children=6)
            )
    return before, behind


def _scarf(stage):
    """Silk wound round the neck up to the chin, its end tucked into the jacket."""

    def silk_shade(nodes, colour):
        return nodes.blend(nodes.span(nodes.noise(3, 3, 0.5), 0.4, 0.7, 0, 0.35), colour, (0.62, 0.58, 0.50))

    silk = garment.cloth(stage, (0.80, 0.77, 0.70), 700, 0.0006, 0.92, 0.55, 0.6, silk_shade)
    around = garment.wound(stage, silk, SCARF)
    u, v = np.meshgrid(np.linspace(-1, 1, 120), np.linspace(0, 1, 90))
    pleats = 0.0050 * np.sin(u * 9 + 1.5 * np.sin(v * 4)) + 0.0022 * np.sin(u * 23 + v * 6)
    x = u * (0.062 - 0.030 * v**1.4) + 0.006 * np.sin(v * 5)
    z2 = 1.385 - 0.135 * v
    y = (
        -0.100
        - 0.038 * np.sin(math.pi * np.clip(v * 0.75 + 0.1, 0, 1))
        + 0.03 * u**2
        - pleats * (1 - 0.4 * v)
    )
    return [around, stage.sheet(x, y, z2, silk)]
