"""A narrow shopping street at night after rain: signs, strings of bulbs, headlamps, and all of it again in
the wet road."""

import math

import cv2
import numpy as np

from camera import Camera
from develop import Grade, Lens, blur, lens_blur
from ground import is_ground, paved
from shot import Shot

SCENE = {
    'title': 'Neon street in the rain',
    'tags': (
        'city, night, neon, rain, street, downtown, urban, lights, bokeh, cyberpunk, nightlife, tokyo, wet'
    ).split(', '),
    'light': {'direction': [-0.45, 0.6, 0.66], 'color': [1.0, 0.74, 0.52], 'fill': [0.55, 0.42, 0.72]},
    'grade': {'contrast': 0.16, 'vignette': 0.2},
}
SAMPLES = 28
TRACE = {'bounces': 4, 'clamp': 4.0}
LENS = Lens(focus=2.6, radius=15, sparkle=0.2, layers=16)
GRADE = Grade(exposure=0.1, contrast=1.25, saturation=1.2, bloom=0.06, vignette=0.35, grain=0.011)

NEON = [
    (1, 0.05, 0.28),
    (0.05, 0.5, 1),
    (1, 0.35, 0.04),
    (0.1, 1, 0.75),
    (0.55, 0.06, 1),
    (1, 0.45, 0.06),
    (1, 0.12, 0.06),
    (0.05, 0.35, 1),
]
WARM = [(1, 0.55, 0.24), (1, 0.66, 0.38), (1, 0.42, 0.3), (1, 0.46, 0.16), (0.5, 0.75, 1)]
STREET_END = 95


def camera(shape):
    return Camera(eye=(0, -1.2, 1.5), target=(0, 12, 1.9 if shape == 'landscape' else 2.05), lens=40)


def build(stage, shape):
    chance = stage.clear(11)
    dark = stage.material((0.02, 0.02, 0.022), 0.4)
    bulb = stage.ball(12, 8)
    stage.plane((0, 60, 0), 60, 180, _wet_road(stage))
    walls = [
        _wall(stage, tone)
        for tone in ((0.16, 0.12, 0.1), (0.1, 0.1, 0.12), (0.14, 0.14, 0.13), (0.2, 0.13, 0.09))
    ]
    for side in (-1, 1):
        y = 3.5
        while y < STREET_END:
            depth = chance.uniform(5, 10)
            _house(stage, chance, side, y, depth, chance.choice(walls), dark)
            y += depth
    _bulb_strings(stage, chance, bulb, dark)
    _lamp_posts(stage, bulb, dark)
    _cars(stage, bulb, dark)
    stage.sky((0.012, 0.018, 0.045))
    stage.lamp('AREA', (0, 2, 9), 220, (0.5, 0.62, 1), 6, (0, 12, 0))


def _wet_road(stage):
    def shade(nodes):
        puddle = nodes.span(nodes.noise(0.35, 4, 0.5), 0.40, 0.56)
        grit = nodes.noise(60, 3, 0.6)
        ripple = nodes.noise(7, 2, 0.5)
        height = nodes.sum(nodes.times(grit, nodes.span(puddle, 0, 1, 0.6, 0)), nodes.times(ripple, 0.10))
        return {
            'Base Color': nodes.blend(puddle, (0.016, 0.016, 0.02), (0.006, 0.007, 0.01)),
            'Roughness': nodes.span(puddle, 0, 1, 0.2, 0.04),
            'Normal': nodes.bump(height, 0.3, 0.02),
        }

    return stage.material(specular=0.75, shade=shade)


def _wall(stage, tone):
    def shade(nodes):
        return {
            'Base Color': nodes.blend(
                nodes.noise(1.3, 6, 0.6), tuple(c * 0.45 for c in tone), tuple(c * 0.9 for c in tone)
            ),
            'Normal': nodes.bump(nodes.noise(9, 4, 0.6), 0.3, 0.03),
        }

    return stage.material(roughness=0.55, shade=shade)


def _house(stage, chance, side, y, depth, wall, dark):
    height = chance.uniform(9, 26)
    x = side * (5.2 + chance.uniform(-0.25, 0.5))
    stage.box((x + side * 5, y + depth / 2, height / 2), (10, depth - 0.05, height), wall)
    if chance.random() < 0.85:
        _shop_front(stage, chance, side, x, y, depth, dark)
    for _ in range(chance.randint(1, 4)):
        _hanging_sign(stage, chance, side, x, y + chance.uniform(0.5, depth - 0.5), dark)
    for floor in range(2, int(height / 3)):
        for bay in range(int(depth / 1.6)):
            lit = stage.glowing(chance.choice(WARM), chance.choice([0.25, 0.5, 1, 1.6]))
            unlit = stage.material((0.02, 0.025, 0.03), 0.08)
            pane = lit if chance.random() < 0.4 else unlit
            stage.box((x - side * 0.01, y + 0.9 + bay * 1.6, floor * 3 + 1.6), (0.06, 0.95, 1.4), pane)
    if chance.random() < 0.8:
        _neon_figure(stage, chance, side, x, y + depth / 2)


def _shop_front(stage, chance, side, x, y, depth, dark):
    window = stage.glowing(chance.choice(WARM), chance.uniform(0.5, 1.3), uneven=1.3)
    bays = chance.randint(2, 4)
    width = (depth - 1) / bays
    for bay in range(bays):
        middle = y + 0.5 + width * (bay + 0.5)
        stage.box((x - side * 0.02, middle, 1.45), (0.1, width * 0.86, 2.2), window)
        for _ in range(chance.randint(2, 6)):
            tall = chance.uniform(0.3, 1.4)
            stage.box(
                (x - side * 0.09, middle + chance.uniform(-0.4, 0.4) * width, 0.4 + tall / 2),
                (0.06, chance.uniform(0.1, 0.5), tall),
                dark,
            )
    awning = stage.material(chance.choice(NEON), 0.7) if chance.random() < 0.5 else dark
    stage.box((x - side * 0.5, y + depth / 2, 2.95), (1.0, depth - 0.6, 0.14), awning)
    board = stage.glowing(chance.choice(NEON + WARM), chance.uniform(0.8, 2.0))
    stage.box((x - side * 0.1, y + depth / 2, 3.35), (0.25, depth * 0.7, 0.6), board)


def _hanging_sign(stage, chance, side, x, y, dark):
    z, tall, wide, out = (
        chance.uniform(3.8, 9),
        chance.uniform(1.2, 3.2),
        chance.uniform(0.5, 0.9),
        chance.uniform(0.5, 1.3),
    )
    colour = chance.choice(NEON)
    stage.box(
        (x - side * out, y, z),
        (wide, 0.16, tall),
        stage.glowing(colour, chance.uniform(0.8, 2.0)),
        bevel=0.03,
    )
    stage.box((x - side * out / 2, y, z + tall / 2), (out, 0.04, 0.04), dark)
    inner = stage.glowing(chance.choice([(1, 0.95, 0.9), colour, (1, 0.9, 0.6)]), chance.uniform(2, 6))
    if chance.random() < 0.5:
        stage.box((x - side * out, y - 0.09, z), (wide * 0.5, 0.02, tall * 0.86), inner)
    else:
        for step in range(max(2, int(tall / 0.55))):
            stage.box(
                (x - side * out, y - 0.09, z - tall / 2 + 0.3 + step * 0.55),
                (wide * 0.6, 0.02, 0.3),
                inner,
                bevel=0.01,
            )


def _neon_figure(stage, chance, side, x, y):
    """A tube bent into a ring, a frame or a zigzag, off the wall."""
    glow = stage.glowing(chance.choice(NEON), chance.uniform(7, 12))
    z, wide, tall = chance.uniform(4, 6.5), chance.uniform(1, 2), chance.uniform(0.8, 2)
    kind = chance.choice(['frame', 'ring', 'zigzag'])
    if kind == 'frame':
        line = [(-wide / 2, -tall / 2), (wide / 2, -tall / 2), (wide / 2, tall / 2), (-wide / 2, tall / 2)]
    elif kind == 'ring':
        line = [
            (wide / 2 * math.cos(a / 24 * math.tau), wide / 2 * math.sin(a / 24 * math.tau))
            for a in range(24)
        ]
    else:
        line = [(-wide / 2 if k % 2 else wide / 2, -tall / 2 + tall * k / 6) for k in range(7)]
    stage.tube([(x - side * 0.08, y + u, z + v) for u, v in line], 0.03, glow, closed=kind != 'zigzag')


def _bulb_strings(stage, chance, bulb, dark):
    for y in (9, 14.5, 21, 30, 41, 55):
        top = chance.uniform(4.6, 5.6)
        glow = stage.glowing(chance.choice([(1, 0.5, 0.17), (1, 0.42, 0.13), (1, 0.58, 0.26)]), 45)
        sag = [(-5 + 10 * k / 16, top - 1.1 * (1 - (k / 8 - 1) ** 2)) for k in range(17)]
        for x, z in sag:
            stage.place(bulb, (x, y + chance.uniform(-0.1, 0.1), z), scale=(0.05,) * 3, coat=glow)
        stage.tube([(x, y, z + 0.07) for x, z in sag], 0.008, dark)


def _lamp_posts(stage, bulb, dark):
    glow = stage.glowing((1, 0.72, 0.42), 70)
    for y in range(12, STREET_END, 13):
        for side in (-1, 1):
            x, at = side * 3.6, y + side * 3
            stage.tube([(x, at, 0), (x, at, 5.2), (x - side, at, 5.6)], 0.05, dark)
            stage.place(bulb, (x - side, at, 5.5), scale=(0.16, 0.16, 0.09), coat=glow)


def _cars(stage, bulb, dark):
    head, tail = stage.glowing((1, 0.93, 0.82), 180), stage.glowing((1, 0.03, 0.015), 60)
    for x, y, coming in (
        (-1.5, 26, True),
        (1.7, 38, False),
        (-1.4, 52, True),
        (1.6, 60, False),
        (-1.6, 72, True),
        (1.5, 24, False),
    ):
        stage.box((x, y + 2, 0.75), (1.75, 4.2, 0.75), dark, bevel=0.2, segments=3)
        stage.box((x, y + 2.2, 1.25), (1.45, 2.2, 0.55), dark, bevel=0.2, segments=3)
        for side in (-1, 1):
            stage.place(
                bulb,
                (x + side * 0.65, y - 0.15, 0.72),
                scale=(0.13, 0.05, 0.08),
                coat=head if coming else tail,
            )


def picture(shot: Shot):
    depth = _reflections_further(shot)
    linear = paved(
        lens_blur(shot.colour, depth, LENS), camera(shot.shape), shot.depth, LENS, 0.22, 0.15, 0.45, 0.25
    )
    linear = linear + _rain(shot)[..., None] * (
        0.22 * blur(linear, 55 * shot.scale) + 0.026 * np.array([0.7, 0.85, 1])
    )
    grey = linear.mean(-1, keepdims=True)
    return np.maximum(grey + (linear - grey) * 1.4, 0)


def _reflections_further(shot):
    """A mirrored lamp is as far away as the lamp, so the wet road must blur like what it mirrors."""
    on_road = is_ground(camera(shot.shape), shot.depth, 0.04)
    return np.where(on_road, np.maximum(shot.depth * 1.6, np.minimum(11, shot.depth * 4)), shot.depth)


def _rain(shot):
    chance = np.random.default_rng(4)
    rain = np.zeros((shot.height, shot.width), np.float32)
    size = shot.scale
    for count, length, thick, strength, soft in (
        (1500, 34, 1, 0.35, 0.6),
        (420, 80, 1, 0.7, 1.0),
        (90, 190, 3, 0.7, 2.8),
    ):
        layer = np.zeros_like(rain)
        for _ in range(count):
            x, y = chance.uniform(-50, shot.width + 50), chance.uniform(-200, shot.height)
            run = length * chance.uniform(0.6, 1.4) * size
            lean = 0.07 + chance.normal(0, 0.012)
            ends = [(int(x * 8), int(y * 8)), (int((x - run * lean) * 8), int((y + run) * 8))]
            cv2.line(layer, *ends, float(chance.uniform(0.3, 1)), thick, cv2.LINE_AA, 3)
        rain += strength * blur(layer, soft * size)
    return rain
