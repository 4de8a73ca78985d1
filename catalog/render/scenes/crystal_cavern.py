"""A cavern of crystals: violet and turquoise shafts grow from the rock and light the wet floor."""

import math

import numpy as np

from camera import Camera
from caves import tunnel
from develop import Grade, Lens, hazed, lens_blur
from materials import darker, wet_ground, worn
from shot import Shot

SCENE = {
    'title': 'Crystal cavern',
    'tags': (
        'crystal, cavern, cave, gems, amethyst, magic, fantasy, underground, mine, elf, fairy, dwarf, '
        'mystical, glowing, treasure'
    ).split(', '),
    'light': {
        'key': 0.14,
        'direction': [0.5, 0.5, 0.7],
        'color': [0.84, 0.74, 1.0],
        'fill': [0.34, 0.5, 0.66],
    },
    'grade': {'contrast': 0.18, 'vignette': 0.28},
}
SAMPLES = 10
TRACE = {'bounces': 3, 'clamp': 3.0, 'least': 5}
BAND = 0.23
LENS = Lens(focus=2.7, radius=11, sparkle=0.1)
GRADE = Grade(
    exposure=0.35, contrast=1.34, saturation=1.14, bloom=0.10, threshold=0.6, vignette=0.36, grain=0.010
)

VIOLET, TURQUOISE, ROSE, BLUE = (0.42, 0.10, 1.0), (0.04, 0.75, 0.85), (0.95, 0.12, 0.55), (0.10, 0.28, 1.0)


def camera(shape):
    return Camera(eye=(0, -2.6, 1.55), target=(0, 9, 1.95), lens=33)


def build(stage, shape):
    chance = stage.clear(71)
    rock = worn(stage, (0.17, 0.155, 0.185), 0.4, 0.8, (0.35, 0.8), 0.9)
    tunnel(
        stage, rock, 3.7, 5.6, (-5, 26), lambda s: 1 - 0.35 * np.clip(s - 0.4, 0, 1), 0.8, seed=12, floor=0.0
    )
    stage.plane(
        (0, 10, 0.015), 14, 40, wet_ground(stage, (0.05, 0.046, 0.058), (0.010, 0.011, 0.016), 0.5, 0.5)
    )
    gems = {colour: _gem(stage, colour) for colour in (VIOLET, TURQUOISE, ROSE, BLUE)}
    for place, inward in _anchors(stage, chance):
        colour = _colour_at(chance, place)
        _cluster(
            stage,
            chance,
            place,
            inward,
            chance.uniform(0.45, 0.95) * (1 + place[1] / 14),
            gems[colour],
            colour,
        )
    stage.lamp('AREA', (0, 23, 3.0), 420, (0.55, 0.45, 1.0), 3, (0, 5, 1), mirrored=False)
    stage.lamp('AREA', (1.8, -2.2, 3.4), 36, (0.85, 0.75, 1), 1.6, (0, 3, 0.4), mirrored=False)
    stage.sky((0.01, 0.01, 0.016), 0.4)


def _anchors(stage, chance):
    """Places on walls and roof, found by looking outwards from the middle, and the way in from there."""
    found = []
    for y in np.linspace(1.2, 22, 44):
        angle = chance.uniform(-0.30, math.pi + 0.30)
        hit = stage.touch((0, y, 1.6), (math.cos(angle), 0.05, math.sin(angle)))
        if hit:
            place = hit[0]
            inward = np.array([-place.x, -0.45 * abs(place.x), 1.9 - place.z]) + (
                0,
                0,
                1.2 if place.z < 1.2 else 0,
            )
            found.append((tuple(place), inward / np.linalg.norm(inward)))
    return found


def _colour_at(chance, place):
    """Veins of one colour, with a stranger here and there."""
    if chance.random() < 0.2:
        return chance.choice([ROSE, BLUE, TURQUOISE])
    return TURQUOISE if math.sin(place[1] * 0.55 + (2.2 if place[0] > 0 else 0)) > 0.35 else VIOLET


def _gem(stage, colour):
    """Lit from within at its root, clear and glossy at its point; every shaft a little different."""

    def shade(nodes):
        z = nodes.along(nodes.own())[2]
        cloud = nodes.noise(3.2, 5, 0.6, distortion=1.0)
        inner = nodes.times(nodes.span(z, 0.0, 1.0, 1.5, 0.16), nodes.span(cloud, 0.3, 0.7, 0.35, 1.5))
        return {
            'Base Color': nodes.blend(cloud, darker(colour, 0.5), tuple(0.35 + 0.5 * c for c in colour)),
            'Emission Strength': nodes.times(inner, nodes.span(nodes.chance(), 0, 1, 0.5, 1.35)),
            'Normal': nodes.bump(nodes.noise(2.0, 3, 0.5, nodes.position((6, 6, 1))), 0.12, 0.02),
        }

    return stage.material(roughness=0.06, specular=0.9, glow=colour, shade=shade)


def _prism(stage, chance):
    """Six uneven sides and an off-centre point, one metre tall."""
    sides = [
        (math.cos(a), math.sin(a)) for a in (math.tau * k / 6 + chance.uniform(-0.12, 0.12) for k in range(6))
    ]
    base = [(0.8 * u, 0.8 * v, 0.0) for u, v in sides]
    shoulder = [(u, v, 0.74 + chance.uniform(-0.05, 0.06)) for u, v in sides]
    tip = [(chance.uniform(-0.3, 0.3), chance.uniform(-0.3, 0.3), 1.0)]
    faces = [(k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k) for k in range(6)] + [
        (6 + k, 6 + (k + 1) % 6, 12) for k in range(6)
    ]
    return stage.mesh(base + shoulder + tip, faces)


def _cluster(stage, chance, at, inward, size, coat, colour):
    from mathutils import Vector

    for k in range(12):
        tall = size * (1.0 if k == 0 else chance.uniform(0.25, 0.8))
        wide = tall * chance.uniform(0.09, 0.14)
        spread = 0.15 if k == 0 else 0.55
        way = Vector([part + chance.gauss(0, spread) for part in inward])
        where = [part + chance.uniform(-0.14, 0.14) * size for part in at]
        stage.place(
            _prism(stage, chance), where, way.to_track_quat('Z', 'Y').to_euler(), (wide, wide, tall), coat
        )
    lamp_at = [a + way * 0.8 * size for a, way in zip(at, inward)]
    stage.lamp(
        'POINT',
        lamp_at,
        34 * size * size,
        tuple(0.12 + 0.88 * c for c in colour),
        0.25 * size,
        mirrored=False,
    )


def picture(shot: Shot):
    return lens_blur(hazed(shot.colour, shot.depth, 15, 0.34, (0.12, 0.09, 0.20)), shot.depth, LENS)
