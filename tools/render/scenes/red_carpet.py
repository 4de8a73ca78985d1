"""A premiere at night: a red carpet between velvet ropes, arches of warm bulbs, the lit doors of a palace."""

import math

import numpy as np

from camera import Camera
from develop import Grade, Lens, hazed, lens_blur
from ground import rough
from materials import GILT, IRON, marble, velvet, wet_ground, worn
from shot import Shot

SCENE = {
    'title': 'Red carpet',
    'tags': (
        'red carpet, premiere, celebrity, movie star, hollywood, gala, award, oscars, paparazzi, glamour, '
        'vip, fame, film'
    ).split(', '),
    # stated, not measured: the carpet is dark, but the cameras' flashes are on whoever walks it
    'light': {
        'key': 0.19,
        'direction': [0.25, 0.62, 0.74],
        'color': [1.0, 0.88, 0.72],
        'fill': [0.55, 0.42, 0.4],
    },
    'grade': {'contrast': 0.16, 'vignette': 0.22},
}
SAMPLES = 12
SHARE = 0.42
TRACE = {'bounces': 3, 'clamp': 4.0}
BAND = 0.25
LENS = Lens(focus=2.7, radius=14, sparkle=0.2, layers=14)
GRADE = Grade(exposure=-0.05, contrast=1.42, saturation=1.16, bloom=0.07, vignette=0.34, grain=0.010)

ARCHES = (4.6, 7.4, 10.2, 13.0)
DOORS = 19.0


def camera(shape):
    return Camera(eye=(0, -2.4, 1.55), target=(0, 12, 2.15), lens=36)


def build(stage, shape):
    chance = stage.clear(77)
    gold, iron = stage.material(GILT, 0.26, 1.0), stage.material(IRON, 0.4, 0.9)
    stage.plane((0, 20, 0), 60, 60, wet_ground(stage, (0.02, 0.02, 0.024), (0.008, 0.008, 0.011)))
    _carpet(stage, gold)
    for side in (-1, 1):
        _ropes(stage, side, gold)
    for y in ARCHES:
        _arch(stage, y, gold)
    _palace(stage, chance, gold)
    _crowd_lights(stage, chance, iron)
    stage.lamp('AREA', (1.4, -2.4, 4.4), 130, (1, 0.86, 0.68), 2.2, (0, 3, 0.4))
    stage.sky((0.010, 0.012, 0.030), 1.0)


def _carpet(stage, gold):
    def weave(nodes):
        wear = nodes.noise(0.9, 5, 0.6)
        return {
            'Base Color': nodes.blend(
                nodes.span(wear, 0.35, 0.7), (0.32, 0.008, 0.012), (0.22, 0.005, 0.009)
            ),
            'Normal': nodes.bump(nodes.noise(140, 2, 0.5), 0.5, 0.004),
        }

    pile = stage.material(roughness=0.92, specular=0.1, shade=weave, Sheen=0.7)
    stage.box((0, 7.5, 0.012), (2.7, 22, 0.024), pile, bevel=0.008)
    for step in range(4):
        stage.box((0, 16.4 + step * 0.36, 0.08 + step * 0.16), (2.7, 0.38, 0.17), pile, bevel=0.02)


def _ropes(stage, side, gold):
    rope = velvet(stage, (0.26, 0.006, 0.010))
    knob = stage.ball(16, 10)
    posts = [0.2 + k * 1.75 for k in range(9)]
    for y in posts:
        x = side * 1.62
        stage.lathe(
            [(0.16, 0), (0.165, 0.02), (0.03, 0.05), (0.026, 0.95), (0.05, 0.96), (0.05, 1.0), (0.02, 1.02)],
            24,
            gold,
            (x, y, 0),
        )
        stage.place(knob, (x, y, 1.05), scale=(0.045,) * 3, coat=gold)
    for a, b in zip(posts, posts[1:]):
        sag = [(side * 1.62, a + (b - a) * t, 0.93 - 0.26 * 4 * t * (1 - t)) for t in np.linspace(0, 1, 14)]
        stage.tube(sag, 0.026, rope)


def _arch(stage, y, gold):
    """A gilt arch over the carpet, studded with bulbs on the side that faces the lens."""
    bulb, glow = stage.ball(10, 8), stage.glowing((1, 0.50, 0.17), 26)
    half, spring = 2.25, 2.7
    line = [(-half, z) for z in np.arange(0, spring, 0.3)]
    line += [(-half * math.cos(t), spring + half * 0.72 * math.sin(t)) for t in np.linspace(0, math.pi, 25)]
    line += [(half, z) for z in np.arange(spring - 0.3, -0.01, -0.3)]
    stage.tube([(x, y, z) for x, z in line], 0.085, gold)
    for x, z in line:
        stage.place(bulb, (x, y - 0.12, z), scale=(0.038,) * 3, coat=glow)
    for x in (-half, half):
        stage.box((x, y, 0.12), (0.42, 0.42, 0.24), gold, bevel=0.03)


def _palace(stage, chance, gold):
    """Columns, steps and three lit doorways."""
    stone = worn(stage, (0.42, 0.36, 0.28), 0.6)
    step = marble(stage, (0.5, 0.46, 0.40), (0.2, 0.17, 0.14), 0.2)
    for k in range(4):
        stage.box((0, 18.2 + k * 0.36, 0.08 + k * 0.16), (16 - k * 0.4, 4, 0.16), step, bevel=0.015)
    stage.box((0, DOORS + 2.2, 5), (30, 0.5, 11), stone)
    door = stage.glowing((1, 0.56, 0.24), 2.4, uneven=1.1)
    for x, wide, tall in (
        (0, 2.2, 3.6),
        (-4.2, 1.7, 3.1),
        (4.2, 1.7, 3.1),
        (-8.2, 1.7, 3.1),
        (8.2, 1.7, 3.1),
    ):
        stage.box((x, DOORS + 1.94, 0.7 + tall / 2), (wide, 0.06, tall), door)
        stage.tube(
            [
                (x - wide / 2, DOORS + 1.9, 0.7),
                (x - wide / 2, DOORS + 1.9, 0.7 + tall),
                (x + wide / 2, DOORS + 1.9, 0.7 + tall),
                (x + wide / 2, DOORS + 1.9, 0.7),
            ],
            0.09,
            gold,
        )
        for k in (-0.25, 0.25):
            stage.box((x + k * wide, DOORS + 1.9, 0.7 + tall / 2), (0.05, 0.05, tall), gold)
    profile = [
        (0.55, 0),
        (0.55, 0.2),
        (0.46, 0.3),
        (0.42, 0.45),
        (0.36, 5.6),
        (0.40, 5.7),
        (0.52, 6.0),
        (0.58, 6.2),
    ]
    for x in (-10.2, -6.2, -2.2, 2.2, 6.2, 10.2):
        stage.lathe(profile, 32, stone, (x, DOORS, 0.64))
        stage.lamp(
            'SPOT', (x, DOORS - 1.0, 0.75), 160, (1, 0.66, 0.34), 0.1, (x, DOORS, 6), cone=0.9, softness=0.8
        )
    stage.box((0, DOORS, 7.4), (24, 1.4, 1.2), stone, bevel=0.05)
    stage.box((0, DOORS - 0.1, 8.2), (24.4, 1.7, 0.3), gold, bevel=0.05)
    stage.lamp('AREA', (0, DOORS + 0.4, 3.2), 260, (1, 0.62, 0.32), 5, (0, 4, 0.5), height=3)


def _crowd_lights(stage, chance, iron):
    """Lamps and flashes of the press on stands beyond the ropes."""
    bulb = stage.ball(10, 8)
    flash, warm = stage.glowing((0.86, 0.92, 1.0), 150), stage.glowing((1, 0.62, 0.3), 40)
    for _ in range(64):
        side = chance.choice([-1, 1])
        y = chance.uniform(4, 17)
        x = side * (2.9 + chance.uniform(0, 5.5))
        z = chance.uniform(0.9, 2.2)
        hot = chance.random() < 0.28
        size = chance.uniform(0.025, 0.055) * (1.2 if hot else 0.8)
        stage.place(bulb, (x, y, z), scale=(size,) * 3, coat=flash if hot else warm)
        stage.tube([(x, y, 0), (x, y, z)], 0.014, iron)
    for side in (-1, 1):
        for y in (6.0, 9.5, 13.0):
            stage.lamp(
                'SPOT',
                (side * 5.5, y, 4.4),
                420,
                (1, 0.84, 0.66),
                0.15,
                (side * 0.6, y - 1.5, 0),
                cone=0.7,
                softness=0.8,
            )
            stage.tube([(side * 5.5, y, 0), (side * 5.5, y, 4.4)], 0.05, iron)
            stage.place(bulb, (side * 5.4, y, 4.4), scale=(0.12,) * 3, coat=flash)


def picture(shot: Shot):
    picture = lens_blur(hazed(shot.colour, shot.depth, 26, 0.12, (0.22, 0.10, 0.05)), shot.depth, LENS)
    return rough(picture, camera(shot.shape), shot.depth, LENS, grain=0.011, amount=0.8)
