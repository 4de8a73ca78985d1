"""A hooded wizard: midnight-blue robe with the hood up, a cowl over the shoulders, gold braid and a brooch."""

import math

import numpy as np
from scipy.ndimage import gaussian_filter

import garment
from develop import Grade
from figure import on_canvas, portrait_camera

COWL = 1.424
OPENING = 0.092

COSTUME = {
    'title': 'Hooded wizard',
    'tags': (
        'wizard, witch, sorcerer, sorceress, mage, magician, magic, druid, hood, hooded, cloak, robe, spell, '
        'enchanter, monk'
    ).split(', '),
    'hooded': True,
    'opening': {
        'left': on_canvas(-OPENING, 0, COWL)[0],
        'right': on_canvas(OPENING, 0, COWL)[0],
        'rim': on_canvas(0, -0.09, COWL - 0.002)[1],
    },
    'light': {
        'key': 0.2,
        'direction': [-0.5, 0.6, 0.62],
        'color': [1.0, 0.9, 0.76],
        'fill': [0.52, 0.6, 0.78],
    },
    'scenes': ['great-hall', 'library', 'aurora'],
}
CAMERA = portrait_camera()
SAMPLES, SHARE = 12, 0.75
LAYERS = ('back', 'front')
TRACE = {'bounces': 4, 'clamp': 4.0}
GRADE = Grade(exposure=0.35, contrast=1.28, saturation=1.05)
DYE = (0.016, 0.030, 0.085)


def build(stage):
    stage.clear(41)
    wool = garment.cloth(stage, DYE, 230, 0.0022, 0.65, 0.9, 0.8)
    lining = garment.cloth(stage, (0.10, 0.075, 0.115), 330, 0.0012, 0.7, 0.9, 0.4)
    gold = _braid(stage)
    metal = garment.metal(stage, (0.72, 0.50, 0.18), 0.24)
    robe, nape, surface = _robe(stage, wool)
    outside, inside, rim = garment.hood(stage, wool, lining, peak=0.030, seed=41)
    front = [
        robe,
        outside,
        *_edge(stage, rim, gold),
        *_cowl(stage, wool, gold),
        *_bands(stage, surface, gold),
    ]
    front.append(garment.wound(stage, wool, COWL, 1.30, (0.140, 0.080), 1.75, 0.0085, 17))
    front += _brooch(stage, metal)
    garment.studio(
        stage,
        96,
        (1, 0.9, 0.76),
        12,
        (0.62, 0.76, 1.0),
        ((52, (1, 0.78, 0.55)), (86, (0.6, 0.76, 1.0))),
        strength=0.34,
    )
    return {'back': [inside, nape], 'front': front}


def _braid(stage):
    """Gold thread woven in a herringbone."""

    def woven(nodes):
        place = nodes.unrolled((1, 1, 1))
        u, v, _ = nodes.add('ShaderNodeSeparateXYZ', {0: place}).outputs
        zigzag = nodes.add('ShaderNodeMath', {0: nodes.times(v, 330.0)}, operation='SINE').outputs[0]
        rows = nodes.add(
            'ShaderNodeMath',
            {0: nodes.sum(nodes.times(u, 620.0), nodes.times(zigzag, 2.2))},
            operation='SINE',
        ).outputs[0]
        height = nodes.span(rows, -0.6, 0.8)
        return {
            'Base Color': nodes.blend(height, (0.16, 0.09, 0.02), (0.72, 0.50, 0.18)),
            'Roughness': nodes.span(height, 0, 1, 0.6, 0.36),
            'Normal': nodes.bump(height, 0.7, 0.0016),
        }

    return stage.material(metallic=0.9, shade=woven)


def _robe(stage, wool):
    from solid import Volume, joined

    space = Volume((-0.48, -0.28, 0.72), (0.48, 0.26, 1.46), 0.0042, 41)
    trunk, arms = garment.body(space, 0.009, 2.2, 1.2)
    overlap = np.clip((space.x + 0.02 + 0.12 * (space.z - 1.1)) / 0.004, 0, 1) * (space.y < 0)
    whole = joined(trunk, arms, 0.03) - 0.004 * overlap
    return garment.sewn(stage, space, whole, wool, hole=(0.098, 0.085), top=1.43)


def _edge(stage, rim, gold):
    """A band of braid just inside the hood's edge, and a cord along it."""
    inner = rim * 1.0
    centre = np.array([0, 0, 1.574])
    rows = []
    for share in np.linspace(0, 1, 6):
        grown = centre + (inner - centre) * (1 + 0.075 * share)
        grown[:, 1] = inner[:, 1] - 0.004 + 0.010 * share
        rows.append(grown)
    band = np.stack(rows)
    return [
        garment.solid(stage.sheet(band[..., 0], band[..., 1], band[..., 2], gold), 0.002),
        stage.tube([tuple(p) for p in rim], 0.0042, gold, resolution=4),
    ]


def _cowl(stage, wool, gold):
    """The hood's shoulder piece, in folds that run outwards from the neck."""
    angle, share = np.meshgrid(np.linspace(-math.pi, math.pi, 700), np.linspace(0, 1, 120))
    chance = np.random.default_rng(43)
    folds = gaussian_filter(chance.normal(size=angle.shape), (40, 9), mode=('nearest', 'wrap'))
    folds = folds / folds.std() * 0.0075 * np.clip(share * 1.6, 0, 1)
    ahead = np.cos(angle)
    wide = 0.118 + 0.148 * share**0.85 + folds * 0.6
    deep = 0.108 + 0.075 * share**0.7 + folds
    drop = 0.165 * np.clip(ahead, 0, 1) ** 1.5 + 0.10 * np.clip(-ahead, 0, 1) + 0.046 * (1 - np.abs(ahead))
    z = 1.404 - 0.010 * ahead - drop * share**1.3 + folds * 0.4
    x, y = wide * np.sin(angle), 0.005 - deep * ahead
    sheet = garment.solid(stage.sheet(x, y, z, wool), 0.005, 0.0015)
    lower = slice(-9, None)
    out = 1.012
    trim = stage.sheet(x[lower] * out, y[lower] * out - 0.002 * np.sign(ahead[lower]), z[lower], gold)
    return [sheet, garment.solid(trim, 0.002)]


def _bands(stage, surface, gold):
    """Braid down the robe's edge."""
    z = np.linspace(0.80, 1.30, 120)
    x = -0.02 - 0.12 * (z - 1.1) + 0.014
    line = garment.smoothed(garment.along_surface(surface, list(zip(x, z)), 0.003), 10)
    return [garment.strap(stage, line, 0.022, gold, 0.002)]


def _brooch(stage, metal):
    """A round clasp with a moonstone at the throat."""
    at = (0, -0.190, 1.300)
    ring = [(0.0, 0.003), (0.018, 0.003), (0.020, 0.008), (0.024, 0.009), (0.028, 0.005), (0.029, -0.002)]
    stone = stage.material((0.20, 0.42, 0.62), 0.05, specular=0.9, Clearcoat=1.0)
    things = [
        stage.creased(stage.lathe(ring, 64, metal, at, (math.radians(78), 0, 0)), 30),
        stage.place(
            stage.ball(36, 20), (at[0], at[1] - 0.006, at[2]), (0, 0, 0), (0.0165, 0.009, 0.0165), stone
        ),
    ]
    for k in range(12):
        a = math.tau * k / 12
        spot = (at[0] + 0.024 * math.sin(a), at[1] - 0.0095, at[2] + 0.024 * math.cos(a))
        things.append(stage.place(stage.ball(12, 8), spot, (0, 0, 0), (0.0022,) * 3, metal))
    return things
