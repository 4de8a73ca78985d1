"""A vaulted stone hall by candlelight, with the blue of late dusk in the far windows."""

import math

import cv2
import numpy as np

from camera import Camera
from develop import Grade, Lens, blur, lens_blur
from shot import Shot

SCENE = {
    'title': 'Great hall by candlelight',
    'tags': (
        'castle, hall, medieval, candles, knight, palace, gothic, fantasy, wizard, magic, royal, '
        'banquet, interior'
    ).split(', '),
    'light': {'direction': [0.0, 0.72, 0.69], 'color': [1.0, 0.68, 0.4], 'fill': [0.5, 0.42, 0.42]},
    'grade': {'contrast': 0.16, 'vignette': 0.22},
}
SAMPLES = 32
TRACE = {'bounces': 4, 'clamp': 3.0}
LENS = Lens(focus=2.7, radius=8, sparkle=0.25, layers=14)
GRADE = Grade(
    exposure=0.2,
    balance=(1.04, 0.97, 1.02),
    contrast=1.42,
    saturation=1.08,
    bloom=0.045,
    vignette=0.4,
    grain=0.010,
    fringe=0.0003,
)

BAYS = [4.5 + 4.4 * k for k in range(6)]
AISLE, WALL, SPRING, END = 3.7, 6.4, 4.95, 31


def camera(shape):
    if shape == 'landscape':
        return Camera(eye=(0, -1.6, 1.55), target=(0, 14, 2.1), lens=34)
    return Camera(eye=(0, -1.6, 1.5), target=(0, 14, 2.35), lens=36 if shape == 'square' else 40)


def build(stage, shape):
    chance = stage.clear(5)
    wall, dressed = (
        _stone(stage, (0.33, 0.27, 0.2), (0.22, 0.18, 0.14)),
        _stone(stage, (0.38, 0.31, 0.23), (0.28, 0.23, 0.17)),
    )
    _floor(stage, chance)
    for side in (-1, 1):
        _block_wall(stage, chance, side * WALL, wall)
        stage.box((side * (WALL + 0.25), 15, 4), (0.3, 34, 8), wall)
    _columns_and_arches(stage, dressed)
    stage.plane((0, 14, 9.2), 20, 40, stage.material((0.1, 0.08, 0.06), 0.9), (math.pi, 0, 0))
    _end_wall(stage, chance, wall, dressed)
    _banners(stage, chance)
    _candles(stage, chance)
    stage.lamp('AREA', (0, 30.2, 5), 420, (0.4, 0.6, 1), 4, (0, 10, 0), height=6)
    stage.lamp('AREA', (-1.5, -1.5, 5.5), 90, (1, 0.72, 0.45), 3, (0, 5, 1))
    stage.sky((0.02, 0.018, 0.02), 0.5)


def _stone(stage, light, dark):
    def shade(nodes):
        coarse, fine = nodes.noise(1.1, 8, 0.62), nodes.noise(14, 5, 0.6)
        colour = nodes.blend(coarse, light, dark)
        colour = nodes.blend(nodes.times(nodes.chance(), 0.35), colour, tuple(c * 0.55 for c in light))
        colour = nodes.blend(nodes.span(fine, 0.35, 0.75, 0, 0.55), colour, tuple(c * 0.4 for c in light))
        height = nodes.sum(nodes.times(coarse, 0.6), nodes.times(fine, 0.4))
        return {
            'Base Color': colour,
            'Roughness': nodes.span(fine, 0.2, 0.8, 0.55, 0.95),
            'Normal': nodes.bump(height, 0.8, 0.04),
        }

    return stage.material(shade=shade)


def _floor(stage, chance):
    """Worn flagstones, each its own slab a little out of level."""

    def shade(nodes):
        coarse, wear = nodes.noise(2, 7, 0.6), nodes.noise(0.6, 3, 0.5)
        colour = nodes.blend(coarse, (0.15, 0.12, 0.09), (0.09, 0.075, 0.06))
        return {
            'Base Color': nodes.blend(nodes.times(nodes.chance(), 0.8), colour, (0.06, 0.05, 0.045)),
            'Roughness': nodes.span(wear, 0.3, 0.7, 0.14, 0.42),
            'Normal': nodes.bump(coarse, 0.3, 0.02),
        }

    slab = stage.material(shade=shade)
    for column in range(-7, 8):
        for row in range(34):
            at = (column + 0.5 * (row % 2), row - 1, -0.05 + chance.uniform(-0.006, 0.006))
            tilt = (chance.uniform(-0.004, 0.004), chance.uniform(-0.004, 0.004), 0)
            stage.box(at, (0.985, 0.985, 0.1), slab, tilt, bevel=0.012)


def _block_wall(stage, chance, x, stone):
    for course in range(14):
        y = -chance.random() * 0.8
        while y < END:
            length = chance.uniform(0.7, 1.3)
            stage.box(
                (x + chance.uniform(-0.012, 0.012), y + length / 2, course * 0.5 + 0.25),
                (0.3, length - 0.02, 0.48),
                stone,
                bevel=0.02,
            )
            y += length


def _columns_and_arches(stage, stone):
    profile = [
        (0.62, 0),
        (0.62, 0.18),
        (0.52, 0.24),
        (0.56, 0.34),
        (0.46, 0.42),
        (0.40, 0.5),
        (0.38, 0.6),
        (0.36, 3.9),
    ]
    profile += [(0.40, 3.95), (0.37, 4.05), (0.45, 4.25), (0.56, 4.5), (0.6, 4.55), (0.6, 4.75)]
    for number, y in enumerate(BAYS):
        _arch(stage, (-AISLE, y), (AISLE, y), 3.4, stone)
        for side in (-1, 1):
            stage.lathe(profile, 36, stone, (side * AISLE, y, 0))
            stage.box((side * AISLE, y, 4.85), (1.25, 1.25, 0.25), stone, bevel=0.03)
            _arch(stage, (side * AISLE, y), (side * WALL, y), 1.4, stone)
            if number + 1 < len(BAYS):
                _arch(stage, (side * AISLE, y), (side * AISLE, BAYS[number + 1]), 2.1, stone)


def _arch(stage, start, end, rise, stone, blocks=18):
    """A pointed arch laid from wedge stones."""
    from mathutils import Vector

    points = []
    for k in range(blocks + 1):
        along = k / blocks
        half = min(along, 1 - along)
        z = SPRING + rise * math.sqrt(max(0, 1 - (1 - 2 * half) ** 1.9))
        points.append(
            Vector((start[0] + (end[0] - start[0]) * along, start[1] + (end[1] - start[1]) * along, z))
        )
    for a, b in zip(points, points[1:]):
        turn = (b - a).to_track_quat('X', 'Z').to_euler()
        stage.box((a + b) / 2, ((b - a).length * 1.04 - 0.012, 0.42, 0.42), stone, turn, bevel=0.02)


def _end_wall(stage, chance, stone, dressed):
    glass, lead = stage.glowing((0.3, 0.5, 1.0), 2.6), stage.material((0.01, 0.01, 0.01), 0.5)
    stage.box((0, END, 4.6), (14, 0.6, 9.5), stone)
    for x, tall in ((-2.2, 4.2), (0, 5.4), (2.2, 4.2)):
        half = 0.62
        outline = [(-half, 0), (half, 0)]
        for k in range(15):
            angle = math.pi * k / 14
            reach = math.copysign(half * abs(math.cos(angle)) ** 0.8, math.cos(angle))
            outline.append((reach, tall * 0.72 + tall * 0.28 * abs(math.sin(angle)) ** 0.9))
        pane = stage.mesh([(u, 0, v) for u, v in outline], [tuple(range(len(outline)))])
        stage.place(pane, (x, 30.66, 2.2), coat=glass)
        stage.tube([(x + u * 1.08, 30.62, 2.2 + v * 1.01) for u, v in outline], 0.09, dressed, closed=True)
        for k in (-1, 0, 1):
            stage.box((x + k * 0.31, 30.62, 2.2 + tall * 0.46), (0.045, 0.05, tall * 0.92), lead)
        for k in range(1, int(tall / 0.55)):
            stage.box((x, 30.62, 2.2 + k * 0.55), (1.2, 0.05, 0.03), lead)


def _banners(stage, chance):
    gold = stage.material((0.75, 0.5, 0.16), 0.35, 1.0)
    for number, y in enumerate(BAYS[:5]):
        dye = (0.26, 0.012, 0.014) if number % 2 else (0.02, 0.035, 0.14)

        def shade(nodes, dye=dye):
            return {'Base Color': nodes.blend(nodes.noise(40, 2, 0.5), dye, tuple(c * 0.6 for c in dye))}

        cloth = stage.material(roughness=0.85, shade=shade, Sheen=0.6)
        for side in (-1, 1):
            x, z = np.meshgrid(np.linspace(-0.55, 0.55, 30), np.linspace(-1.5, 1.5, 60))
            folds = 0.05 * np.sin(x * 9 + number) + 0.02 * np.sin(x * 17 + z * 2)
            stage.sheet(
                x, z, folds, cloth, (side * 6.12, y + 2.2, 4.3), (math.pi / 2, 0, side * -math.pi / 2)
            )
            stage.box((side * 6.1, y + 2.2, 5.85), (0.06, 1.35, 0.06), gold)


def _candles(stage, chance):
    """Iron wheels under the vault, stands between the columns, and lights along the walls and the far
    table."""
    iron = stage.material((0.03, 0.028, 0.026), 0.45, 0.9)
    wax = stage.material((0.8, 0.68, 0.45), 0.5, glow=(1, 0.5, 0.16), strength=0.35)
    flame, drop = stage.glowing((1, 0.46, 0.12), 110), stage.ball(10, 8)
    stick = stage.lathe([(0, 0), (0.035, 0), (0.033, 0.2), (0, 0.2)], 10, wax, (0, 0, -50)).data

    def candle(x, y, z, size=1.1, tall=1.0):
        stage.place(stick, (x, y, z), scale=(size, size, size * tall))
        stage.place(
            drop,
            (x, y, z + 0.2 * size * tall + 0.045 * size),
            scale=(0.016 * size, 0.016 * size, 0.042 * size),
            coat=flame,
        )

    def wheel(x, y, z, radius, count):
        for r, level, lights in ((radius, z, count), (radius * 0.55, z + 0.4, count // 2)):
            ring = [
                (x + r * math.cos(k / 40 * math.tau), y + r * math.sin(k / 40 * math.tau), level)
                for k in range(40)
            ]
            stage.tube(ring, 0.03, iron, closed=True)
            for k in range(lights):
                angle = math.tau * k / lights
                candle(
                    x + r * math.cos(angle),
                    y + r * math.sin(angle),
                    level + 0.03,
                    1.2,
                    chance.uniform(0.5, 1.1),
                )
        for k in range(4):
            angle = math.tau * k / 4
            stage.tube(
                [(x + radius * math.cos(angle), y + radius * math.sin(angle), z), (x, y, z + 1.5), (x, y, 9)],
                0.014,
                iron,
            )
        stage.lamp('POINT', (x, y, z + 0.1), 240, (1, 0.5, 0.2), 0.45)

    for y in (7, 12.5, 18, 23.5):
        wheel(0, y, 4.4, 1.05, 14)
    for y in BAYS:
        for side in (-1, 1):
            x, at = side * 2.55, y - 0.2
            stage.tube([(x, at, 0), (x, at, 1.55)], 0.028, iron)
            stage.lathe([(0.25, 0), (0.22, 0.03), (0.05, 0.08), (0.03, 0.12)], 16, iron, (x, at, 0))
            stage.tube([(x - 0.33, at, 1.54), (x, at, 1.5), (x + 0.33, at, 1.54)], 0.016, iron)
            for k in range(-2, 3):
                foot = 1.69 - 0.07 * abs(k)
                stage.tube([(x + k * 0.16, at, 1.5), (x + k * 0.16, at, foot)], 0.012, iron)
                stage.lathe([(0.01, -0.03), (0.055, 0), (0.06, 0.012)], 14, iron, (x + k * 0.16, at, foot))
                candle(x + k * 0.16, at, foot, tall=chance.uniform(0.6, 1.1))
            stage.lamp('POINT', (x, at - 0.05, 1.95), 26, (1, 0.5, 0.19), 0.12)
            for k in (-1, 0, 1):
                candle(side * 6.0, y + 1.0 + k * 0.15, 2.1, tall=chance.uniform(0.6, 1))
            stage.box((side * 6.1, y + 1.0, 2.07), (0.3, 0.55, 0.06), iron)
            stage.lamp('POINT', (side * 5.8, y + 1.0, 2.4), 20, (1, 0.48, 0.18), 0.15)
    oak = stage.material((0.09, 0.045, 0.02), 0.4)
    stage.box((0, 21, 0.8), (1.6, 12, 0.1), oak, bevel=0.02)
    for y in (15.3, 18.8, 22.5, 26.5):
        for x in (-0.62, 0.62):
            stage.box((x, y, 0.4), (0.16, 0.16, 0.75), oak, bevel=0.02)
        stage.box((0, y, 0.2), (1.2, 0.08, 0.12), oak)
    for k in range(14):
        candle(chance.uniform(-0.5, 0.5), 15.5 + k * 0.8, 0.86, 1.2, chance.uniform(0.4, 1.3))


def picture(shot: Shot):
    air = (1 - np.exp(-np.minimum(shot.depth, 60) / 55))[..., None] * 0.35
    linear = shot.colour * (1 - air) + air * np.array([0.16, 0.11, 0.08]) + 0.45 * _window_shafts(shot)
    return lens_blur(linear.astype(np.float32), shot.depth, LENS)


def _window_shafts(shot):
    """Light from the windows smeared away from them, as dusty air would show it."""
    far_blue = shot.colour * np.clip(shot.colour[..., 2:] / (shot.colour[..., :1] + 0.02) - 0.8, 0, 1)
    source = blur(far_blue * (shot.depth > 25)[..., None], 6 * shot.scale)
    weight = source.sum(-1)
    if weight.sum() <= 0:
        return source
    y, x = np.mgrid[0 : shot.height, 0 : shot.width]
    middle = (float((x * weight).sum() / weight.sum()), float((y * weight).sum() / weight.sum()))
    total = np.zeros_like(source)
    for k in range(26):
        grow = 1 + 0.055 * k
        matrix = np.float32([[grow, 0, middle[0] * (1 - grow)], [0, grow, middle[1] * (1 - grow)]])
        total += cv2.warpAffine(source, matrix, (shot.width, shot.height)) * 0.93**k
    return blur(total / 26, 8 * shot.scale)
