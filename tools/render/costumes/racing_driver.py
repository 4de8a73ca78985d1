"""A racing driver's overalls: quilted fireproof cloth in red, white and navy, high collar, zip, a woven badge."""

import math

import numpy as np

import garment
from develop import Grade
from figure import on_canvas, portrait_camera

RIM = 1.424  # the undershirt's edge under the chin
OPENING = 0.092
RED, WHITE, NAVY = (0.40, 0.010, 0.014), (0.74, 0.74, 0.73), (0.010, 0.014, 0.042)

COSTUME = {
    'title': 'Racing driver',
    'tags': (
        'racing driver, race driver, racer, racing, race car, race, formula one, formula, grand prix, motorsport, '
        'rally, pit, speed, karting'
    ).split(', '),
    'opening': {
        'left': on_canvas(-OPENING, 0, RIM)[0],
        'right': on_canvas(OPENING, 0, RIM)[0],
        'rim': on_canvas(0, -0.09, RIM - 0.004)[1],
    },
    'light': {
        'key': 0.24,
        'direction': [-0.5, 0.6, 0.62],
        'color': [1.0, 0.96, 0.92],
        'fill': [0.6, 0.68, 0.82],
    },
    'scenes': ['stadium', 'neon-street', 'rooftop-night'],
}
CAMERA = portrait_camera()
SAMPLES, SHARE = 12, 0.75
TRACE = {'bounces': 4, 'clamp': 4.0}
GRADE = Grade(exposure=0.15, contrast=1.3, saturation=1.06)


def build(stage):
    stage.clear(9)
    overalls = garment.cloth(stage, RED, 480, 0.0012, 0.78, 0.72, 0.25, _panels)
    navy, white = (garment.cloth(stage, dye, 480, 0.0012, 0.8, 0.75, 0.2) for dye in (NAVY, WHITE))
    steel = garment.metal(stage, (0.55, 0.56, 0.58), 0.26)
    suit, nape, surface = _suit(stage, overalls)
    front, back = [suit], [nape]
    before, behind = garment.round_neck(stage, navy, _collar, 0.0070, 0.002)
    front.append(before)
    back.append(behind)
    piping = garment.round_neck(
        stage, white, lambda angle, share: _collar(angle, 0.955 + 0.045 * share, 0.0042), 0.0035, 0.0012
    )
    front.append(piping[0])
    back.append(piping[1])
    front += _tab(stage, navy) + _badge(stage, surface)
    line = garment.along_surface(surface, [(0.0, z) for z in np.linspace(0.80, 1.335, 130)], 0.001)
    front += garment.zip_fastener(stage, line, steel, navy)
    knit = garment.cloth(stage, (0.60, 0.60, 0.60), 600, 0.0008, 0.85, 0.85, 0.3)
    liner = [garment.knitted_collar(stage, knit, RIM + 0.004, 1.376, (0.100, 0.080))]
    garment.studio(
        stage,
        88,
        (1, 0.96, 0.92),
        9,
        (0.7, 0.82, 1.0),
        ((44, (1, 0.86, 0.72)), (66, (0.66, 0.82, 1.0))),
        strength=0.28,
    )
    return {'back': back, 'liner': liner, 'front': front}


def _panels(nodes, colour):
    """White and navy bands across the chest and down the sleeves, and a navy yoke; stitched along the joins."""
    x, _, z = garment.places(nodes)
    slope = nodes.sum(z, nodes.times(x, -0.42))
    shoulder = nodes.sum(z, nodes.times(x, 0.46))
    band = garment.within(nodes, slope, 1.118, 1.168)
    colour = nodes.blend(band, colour, WHITE)
    colour = nodes.blend(garment.within(nodes, slope, 1.096, 1.112), colour, NAVY)
    colour = nodes.blend(nodes.span(shoulder, 1.3755, 1.3765), colour, NAVY)
    colour = nodes.blend(garment.within(nodes, shoulder, 1.366, 1.3725), colour, WHITE)
    return colour


def _suit(stage, coat):
    from solid import Volume, joined

    space = Volume((-0.46, -0.26, 0.72), (0.46, 0.24, 1.46), 0.0040, 9)
    trunk, arms = garment.body(space, 0.008, 1.5, 1.2)
    x = np.abs(space.x)
    slope, shoulder = space.z - 0.42 * x, space.z + 0.46 * x
    stitched = np.abs(np.sin((slope - 1.0) * math.pi / 0.022)) ** 0.5 * np.clip((slope - 1.172) / 0.004, 0, 1)
    trunk = trunk - 0.0016 * stitched * (shoulder < 1.368)
    whole = joined(trunk, arms, 0.012)
    for value, place in ((slope, 1.168), (slope, 1.118), (slope, 1.096), (shoulder, 1.3665)):
        whole = whole + 0.0016 * np.exp(-(((value - place) / 0.0026) ** 2))
    placket = np.clip((0.016 - np.abs(space.x)) / 0.003, 0, 1) * (space.y < 0)
    whole = whole - 0.0020 * placket
    return garment.sewn(stage, space, whole, coat, hole=(0.098, 0.085), top=1.43)


def _collar(angle, share, lift=0.0):
    """Stands close around the neck, a little lower at the throat."""
    tall = 0.058 + 0.012 * (1 - np.cos(angle)) / 2
    low = 1.352 + 0.022 * (1 - np.cos(angle)) / 2
    wide = 0.111 - 0.007 * share + 0.004 * share**6 + lift
    return wide, wide * 0.84, low + tall * share + 0.0012 * np.sin(angle * 7)


def _tab(stage, navy):
    """The strap that closes the collar."""
    angle = np.linspace(-0.62, 0.30, 60)
    rows = []
    for share in np.linspace(0.30, 0.78, 12):
        wide, deep, z = _collar(angle, np.full_like(angle, share), 0.0065)
        rows.append(np.stack([wide * np.sin(angle), 0.005 - deep * np.cos(angle), z]))
    sheet = np.stack(rows, 1)
    tab = garment.solid(stage.sheet(sheet[0], sheet[1], sheet[2], navy), 0.0030, 0.0010)
    return [tab]


def _badge(stage, surface):
    """A chequered flag and a laurel ring on the breast, woven: no letters."""
    x, z = 0.078, 1.258

    def chequers(nodes):
        squares = nodes.add(
            'ShaderNodeTexChecker',
            {
                'Vector': nodes.own(),
                'Color1': (0.8, 0.8, 0.8, 1),
                'Color2': (0.012, 0.012, 0.014, 1),
                'Scale': 105.0,
            },
        ).outputs['Color']
        return {'Base Color': squares, 'Normal': nodes.bump(nodes.noise(420, 2, 0.5), 0.5, 0.001)}

    woven = stage.material(roughness=0.85, shade=chequers)
    gold = stage.material((0.60, 0.42, 0.12), 0.6)
    y = min(surface(x + dx, z) for dx in (-0.028, 0, 0.028)) - 0.0005
    return [
        stage.box((x, y, z), (0.056, 0.004, 0.037), gold, (0.02, 0, 0.30), bevel=0.0012),
        stage.box((x - 0.0004, y - 0.0012, z), (0.052, 0.004, 0.033), woven, (0.02, 0, 0.30), bevel=0.0008),
    ]
