"""An old library in the evening: shelves of leather bindings, globe lamps down the aisle, the last light in a
tall window."""

import math

import numpy as np

from camera import Camera
from develop import Grade, Lens, lens_blur
from shot import Shot

SCENE = {
    'title': 'The old library',
    'tags': (
        'library, books, study, university, reading, vintage, academic, magic, scholar, wood, cosy, '
        'detective, interior'
    ).split(', '),
    # stated, not measured: the carpet and boards are dark, but the lamps hang over whoever stands there
    'light': {
        'key': 0.17,
        'direction': [0.0, 0.8, 0.6],
        'color': [1.0, 0.76, 0.5],
        'fill': [0.52, 0.44, 0.42],
    },
    'grade': {'contrast': 0.16, 'vignette': 0.22},
}
SAMPLES = 20
TRACE = {'bounces': 4, 'clamp': 3.0}
LENS = Lens(focus=2.6, radius=8, sparkle=0.15, layers=12)
GRADE = Grade(
    exposure=0.35,
    balance=(1.02, 0.98, 1.0),
    contrast=1.38,
    saturation=1.25,
    bloom=0.06,
    vignette=0.36,
    grain=0.010,
)

AISLE, END, SHELF, TOP = 1.75, 15.0, 0.40, 9
DYES = [
    (0.28, 0.045, 0.025),
    (0.06, 0.12, 0.065),
    (0.05, 0.075, 0.19),
    (0.34, 0.17, 0.055),
    (0.17, 0.075, 0.03),
    (0.42, 0.30, 0.16),
    (0.15, 0.03, 0.045),
    (0.20, 0.13, 0.07),
]


def camera(shape):
    if shape == 'landscape':
        return Camera(eye=(0, -1.8, 1.6), target=(0, 10, 2.0), lens=30)
    return Camera(eye=(0, -1.8, 1.55), target=(0, 10, 2.25), lens=34)


def build(stage, shape):
    chance = stage.clear(29)
    oak, dark_oak = _wood(stage, (0.13, 0.060, 0.026)), _wood(stage, (0.060, 0.028, 0.013))
    brass = stage.material((0.70, 0.46, 0.17), 0.28, 1.0)
    books = _books(stage, chance)
    for side in (-1, 1):
        _shelves(stage, chance, side, oak, dark_oak, books)
        _ladder(stage, side, dark_oak, brass)
    _floor(stage, chance, dark_oak)
    _ceiling(stage, dark_oak, oak)
    _window(stage, oak)
    _lamps(stage, brass)
    stage.lamp('AREA', (0, END - 0.6, 3.2), 170, (0.5, 0.62, 1.0), 1.6, (0, 2, 0.5), height=4.5)
    stage.lamp('AREA', (0.8, -2.2, 3.6), 46, (1, 0.80, 0.58), 1.6, (0, 3, 1))
    stage.sky((0.02, 0.017, 0.015), 0.6)


def _wood(stage, tone):
    def shade(nodes):
        grain = nodes.noise(7, 8, 0.6, nodes.position((6, 0.7, 0.7)), 1.2)
        colour = nodes.blend(grain, tone, tuple(c * 0.45 for c in tone))
        return {
            'Base Color': nodes.blend(
                nodes.times(nodes.chance(), 0.35), colour, tuple(c * 0.6 for c in tone)
            ),
            'Roughness': nodes.span(grain, 0.3, 0.7, 0.26, 0.44),
            'Normal': nodes.bump(grain, 0.18, 0.006),
        }

    return stage.material(shade=shade)


def _books(stage, chance):
    """Bindings with a rounded spine and two gilt bands, one metre in every direction, to be scaled where they
    stand."""
    gilt = stage.material((0.72, 0.50, 0.18), 0.32, 1.0)
    made = []
    for dye in DYES:

        def shade(nodes, dye=dye):
            worn = nodes.noise(22, 5, 0.6)
            colour = nodes.blend(nodes.times(nodes.chance(), 0.7), dye, tuple(c * 0.45 for c in dye))
            return {
                'Base Color': nodes.blend(
                    nodes.span(worn, 0.5, 0.8, 0, 0.5), colour, tuple(min(1, c * 1.9) for c in dye)
                ),
                'Roughness': nodes.span(worn, 0.3, 0.7, 0.38, 0.6),
            }

        leather = stage.material(shade=shade)
        for bands in ((0.2, 0.8), (0.15, 0.3, 0.85), ()):
            made.append(_binding(stage, leather, gilt, bands))
    return made


def _binding(stage, leather, gilt, bands):
    arc = (
        [(-0.5, 0.0)]
        + [(-0.5 * math.cos(t), -0.16 * math.sin(t)) for t in np.linspace(0.25, math.pi - 0.25, 7)]
        + [(0.5, 0.0), (0.5, 1.0), (-0.5, 1.0)]
    )
    levels = [0.0, *sorted(edge for band in bands for edge in (band - 0.012, band + 0.012)), 1.0]
    count = len(arc)
    vertices = [(x, y, z) for z in levels for x, y in arc]
    faces, gilded = [], []
    for level in range(len(levels) - 1):
        for k in range(count):
            faces.append(
                (
                    level * count + k,
                    level * count + (k + 1) % count,
                    (level + 1) * count + (k + 1) % count,
                    (level + 1) * count + k,
                )
            )
            gilded.append(level % 2 == 1)
    faces.append(tuple(range((len(levels) - 1) * count, len(levels) * count)))
    gilded.append(False)
    made = stage.mesh(vertices, faces)
    made.materials.append(leather)
    made.materials.append(gilt)
    made.polygons.foreach_set('material_index', [int(flag) for flag in gilded])
    return made


def _shelves(stage, chance, side, oak, dark_oak, books):
    x = side * AISLE
    depth = 0.34
    stage.box((x + side * (depth + 0.02), END / 2 - 1, 2.2), (0.04, END + 4, 4.6), dark_oak)
    for bay in range(-2, 11):
        y = bay * 1.42
        stage.box((x + side * 0.17, y, 2.05), (depth + 0.04, 0.07, 4.1), oak, bevel=0.012)
        stage.box((x - side * 0.015, y, 2.05), (0.03, 0.11, 4.1), oak, bevel=0.012)
    for row in range(TOP + 1):
        z = 0.12 + row * SHELF
        stage.box((x + side * 0.17, END / 2 - 1, z), (depth, END + 4, 0.035), oak, bevel=0.006)
        if row == TOP:
            break
        for bay in range(-2, 11):
            _row_of_books(stage, chance, side, x, bay * 1.42 + 0.05, bay * 1.42 + 1.37, z + 0.018, books)
    stage.box(
        (x + side * 0.10, END / 2 - 1, 0.12 + TOP * SHELF + 0.16), (0.36, END + 4, 0.26), oak, bevel=0.03
    )


def _row_of_books(stage, chance, side, x, start, end, z, books):
    y = start
    while y < end - 0.05:
        if chance.random() < 0.03:
            y += chance.uniform(0.06, 0.22)
            continue
        run = chance.choice(books)
        same = chance.randint(1, 5) if chance.random() < 0.35 else 1
        wide, tall, deep = (
            chance.uniform(0.024, 0.062),
            chance.uniform(0.21, 0.335),
            chance.uniform(0.16, 0.23),
        )
        for _ in range(same):
            if y + wide > end:
                break
            out = x + side * chance.uniform(0.03, 0.07)
            lean = chance.gauss(0, 0.012)
            stage.place(
                run, (out, y + wide / 2, z), (lean, 0, side * -math.pi / 2), (wide * 0.96, deep, tall)
            )
            y += wide
        if same == 1 and chance.random() < 0.02:
            y += 0.05


def _ladder(stage, side, wood, brass):
    rail_x = side * (AISLE - 0.06)
    stage.tube([(rail_x, -3, 3.05), (rail_x, END, 3.05)], 0.016, brass)
    if side > 0:
        foot, top = (side * (AISLE - 0.55), 3.05), (side * (AISLE - 0.06), 0)
        for y in (6.2, 6.68):
            stage.tube([(foot[0], y, 0.0), (top[0], y, 3.1)], 0.024, wood)
        for k in range(9):
            share = (k + 0.7) / 9.4
            x = foot[0] + (top[0] - foot[0]) * share
            stage.tube([(x, 6.2, 3.1 * share), (x, 6.68, 3.1 * share)], 0.016, wood)


def _floor(stage, chance, wood):
    for column in range(-14, 14):
        y = -4 + chance.random()
        while y < END + 1:
            length = chance.uniform(0.9, 1.9)
            stage.box(
                (column * 0.14 + 0.07, y + length / 2, -0.02),
                (0.137, length - 0.004, 0.04),
                wood,
                bevel=0.002,
            )
            y += length

    def weave(nodes):
        pile, motif = nodes.noise(160, 2, 0.5), nodes.noise(3.2, 4, 0.6)
        return {
            'Base Color': nodes.blend(
                nodes.span(motif, 0.42, 0.58), (0.17, 0.012, 0.014), (0.10, 0.010, 0.014)
            ),
            'Normal': nodes.bump(pile, 0.6, 0.004),
        }

    runner = stage.material(roughness=0.95, specular=0.1, shade=weave, Sheen=0.4)
    stage.box((0, END / 2 - 1, 0.008), (1.25, END + 4, 0.012), runner, bevel=0.004)
    border = stage.material((0.30, 0.20, 0.075), 0.9)
    for x in (-0.55, 0.55):
        stage.box((x, END / 2 - 1, 0.0125), (0.035, END + 4, 0.012), border)


def _ceiling(stage, dark_oak, oak):
    """A barrel vault of boards with a rib at every bay."""
    angle, y = np.meshgrid(np.linspace(0, math.pi, 41), np.linspace(-4, END + 0.5, 3))
    stage.sheet(-(AISLE + 0.35) * np.cos(angle), y, 4.05 + 1.15 * np.sin(angle), dark_oak)
    for bay in range(-2, 11):
        arc = [
            (-(AISLE + 0.30) * math.cos(t), bay * 1.42, 4.02 + 1.10 * math.sin(t))
            for t in np.linspace(0, math.pi, 33)
        ]
        stage.tube(arc, 0.06, oak)


def _window(stage, oak):
    """A tall arched window in the end wall, the evening behind it."""
    stage.box((0, END + 0.3, 2.5), (5, 0.3, 6), oak)
    half, tall = 0.80, 2.7
    outline = [(-half, 0.0), (half, 0.0)] + [
        (half * math.cos(t), tall + half * math.sin(t)) for t in np.linspace(0, math.pi, 25)
    ]
    pane = stage.mesh([(x, 0, z) for x, z in outline], [tuple(range(len(outline)))])
    stage.place(pane, (0, END + 0.12, 0.95), coat=stage.glowing((0.40, 0.52, 0.95), 2.3, uneven=0.55))
    stage.tube([(x, END + 0.10, 0.95 + z) for x, z in outline], 0.07, oak, closed=True)
    for x in (-0.4, 0.0, 0.4):
        stage.box((x, END + 0.10, 0.95 + tall / 2 + 0.3), (0.035, 0.04, tall + 0.8), oak)
    for k in range(1, 7):
        stage.box((0, END + 0.10, 0.95 + k * 0.5), (half * 2, 0.04, 0.03), oak)


def _lamps(stage, brass):
    """Opal globes on brass rods down the aisle, and small shaded lamps along the shelves."""
    globe, glow = stage.ball(32, 20), stage.glowing((1, 0.66, 0.34), 9)
    shade = stage.glowing((1, 0.60, 0.27), 16)
    for k, y in enumerate((3.4, 6.3, 9.2, 12.1)):
        stage.place(globe, (0, y, 3.30), scale=(0.15,) * 3, coat=glow)
        stage.tube([(0, y, 3.45), (0, y, 5.15)], 0.012, brass)
        stage.lathe([(0.07, 0), (0.06, 0.04), (0.02, 0.06)], 24, brass, (0, y, 3.43))
        stage.lamp('POINT', (0, y, 3.05), 48, (1, 0.66, 0.36), 0.16)
    for y in (2.13, 4.97, 7.81, 10.65):
        for side in (-1, 1):
            x = side * (AISLE - 0.14)
            stage.tube([(side * AISLE, y, 2.30), (x, y, 2.36), (x, y, 2.28)], 0.010, brass)
            stage.place(globe, (x, y, 2.22), scale=(0.045, 0.045, 0.055), coat=shade)
            stage.lamp('POINT', (x - side * 0.08, y, 2.2), 15, (1, 0.62, 0.30), 0.05)


def picture(shot: Shot):
    air = (1 - np.exp(-np.minimum(shot.depth, 30) / 26))[..., None] * 0.30
    linear = shot.colour * (1 - air) + air * np.array([0.20, 0.12, 0.075])
    return lens_blur(linear.astype(np.float32), shot.depth, LENS)
