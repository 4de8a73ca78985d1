"""Inside a full stadium at night: the running track, banked stands under floodlights, haze in the air."""

import math

import numpy as np

from camera import Camera
from develop import Grade, Lens, blur, hazed, lens_blur
from ground import rough
from materials import worn
from shot import Shot

SCENE = {
    'title': 'Stadium under floodlights',
    'tags': (
        'stadium, arena, sport, football, soccer, athlete, olympic, champion, floodlights, track, running, '
        'match, team, winner, fans'
    ).split(', '),
    # stated, not measured: the track is dark, but the floodlights are on whoever stands there
    'light': {
        'key': 0.27,
        'direction': [0.3, 0.72, 0.62],
        'color': [0.96, 0.97, 1.0],
        'fill': [0.5, 0.54, 0.62],
    },
    'grade': {'contrast': 0.17, 'vignette': 0.22},
}
SAMPLES = 10
SHARE = 0.5
TRACE = {'bounces': 2, 'clamp': 4.0, 'least': 5}
BAND = 0.22
LENS = Lens(focus=3.0, radius=11, sparkle=0.15)
GRADE = Grade(
    exposure=-0.35, contrast=1.5, saturation=1.35, bloom=0.05, threshold=0.9, vignette=0.3, grain=0.010
)

LANE, BOWL, ROOF = 1.22, 62.0, 24.0


def camera(shape):
    return Camera(eye=(0, -3, 1.6), target=(0, 14, 2.5), lens=33)


def build(stage, shape):
    chance = stage.clear(87)
    _ground(stage)
    _stands(stage)
    _roof_and_lights(stage, chance)
    for x, y in ((-40, 10), (40, 10), (-30, 80), (30, 80)):
        stage.lamp('SPOT', (x, y, 30), 60000, (0.94, 0.97, 1), 2.0, (0, 18, 0), cone=1.2, softness=0.7)
    stage.lamp('SPOT', (14, -22, 20), 14000, (0.96, 0.98, 1), 1.5, (0, 4, 0), cone=0.9, softness=0.7)
    stage.sky((0.010, 0.018, 0.055), 1.0)


def _ground(stage):
    """Eight lanes running away from the camera, then the mown pitch."""

    def tartan(nodes):
        x, _, _ = nodes.along(nodes.position())
        lane = nodes.math('FRACT', nodes.sum(nodes.times(x, 1 / LANE), 0.5))
        line = nodes.math('LESS_THAN', nodes.math('ABSOLUTE', nodes.sum(lane, -0.5)), 0.024)
        wear = nodes.noise(0.7, 6, 0.6)
        red = nodes.blend(nodes.span(wear, 0.3, 0.7), (0.36, 0.060, 0.030), (0.24, 0.040, 0.022))
        grain = nodes.noise(170, 2, 0.6)
        return {
            'Base Color': nodes.blend(
                nodes.times(line, nodes.span(grain, 0.3, 0.55, 0.7, 1.0)), red, (0.72, 0.72, 0.70)
            ),
            'Roughness': nodes.span(wear, 0.3, 0.7, 0.75, 0.9),
            'Specular': 0.25,
            'Normal': nodes.bump(grain, 0.5, 0.006),
        }

    def mown(nodes):
        x, y, _ = nodes.along(nodes.position())
        stripe = nodes.math('LESS_THAN', nodes.math('FRACT', nodes.times(y, 1 / 9.0)), 0.5)
        blade = nodes.noise(9, 5, 0.65)
        pale = nodes.blend(blade, (0.050, 0.15, 0.032), (0.032, 0.10, 0.022))
        return {
            'Base Color': nodes.blend(
                stripe, pale, nodes.blend(blade, (0.034, 0.115, 0.026), (0.022, 0.078, 0.018))
            )
        }

    stage.plane((0, 12, 0), 12 * LANE, 40, stage.material(shade=tartan))
    stage.plane((0, 60, -0.02), 160, 140, stage.material(roughness=0.9, shade=mown))
    kerb = stage.material((0.7, 0.7, 0.7), 0.5)
    for x in (-6, 6):
        stage.box((x * LANE, 12, 0.03), (0.06, 40, 0.06), kerb)


def _stands(stage):
    """A bowl in two tiers; its seats and people are specks of colour, as the lens would see them."""

    def crowd(nodes):
        place = nodes.unrolled((1.9, 1.5, 1))
        across, up, _ = nodes.along(place)
        cell = nodes.vector(nodes.math('FLOOR', across), nodes.math('FLOOR', up))
        value, colour = nodes.scatter(cell)
        hue = nodes.along(colour)
        stops = [
            (0.0, (0.02, 0.025, 0.035)),
            (0.3, (0.06, 0.07, 0.11)),
            (0.5, (0.55, 0.05, 0.04)),
            (0.66, (0.70, 0.55, 0.42)),
            (0.8, (0.06, 0.16, 0.50)),
            (1.0, (0.55, 0.53, 0.50)),
        ]
        flash = nodes.times(nodes.math('GREATER_THAN', value, 0.994), 26.0)
        tone = nodes.ramp(hue[0], stops)
        shadow = nodes.span(nodes.math('FRACT', up), 0.0, 0.4, 0.3, 1.0)
        lit = nodes.add(
            'ShaderNodeMixRGB',
            {0: 1.0, 1: tone, 2: nodes.vector(shadow, shadow, shadow)},
            blend_type='MULTIPLY',
        ).outputs[0]
        return {'Base Color': lit, 'Emission': (0.9, 0.95, 1.0), 'Emission Strength': flash}

    people = stage.material(roughness=0.9, shade=crowd)
    concrete = worn(stage, (0.16, 0.165, 0.17), 0.6, 0.3)
    board = stage.glowing((0.10, 0.35, 1.0), 1.6, uneven=0.25)
    angle = np.linspace(math.pi * 0.02, math.pi * 0.98, 160)
    for inner, low, outer, high in ((BOWL, 2.2, BOWL + 20, 11.5), (BOWL + 18, 14.0, BOWL + 36, 24.5)):
        t, s = np.meshgrid(angle, np.linspace(0, 1, 18))
        radius = inner + (outer - inner) * s
        stage.sheet(radius * 0.92 * np.cos(t), 14 + radius * np.sin(t), low + (high - low) * s, people)
        for z0, z1, r, coat in (
            (low - 2.6, low, inner, concrete),
            (low - 1.4, low - 0.3, inner - 0.2, board),
        ):
            t, s = np.meshgrid(angle, np.linspace(0, 1, 3))
            stage.sheet(r * 0.92 * np.cos(t), 14 + r * np.sin(t), z0 + (z1 - z0) * s, coat)


def _roof_and_lights(stage, chance):
    """A ring roof, with banks of floodlights along its edge."""
    steel = stage.material((0.10, 0.105, 0.115), 0.5, 0.6)
    t, s = np.meshgrid(np.linspace(math.pi * 0.02, math.pi * 0.98, 120), np.linspace(0, 1, 4))
    radius = BOWL + 8 + 34 * s
    stage.sheet(radius * 0.92 * np.cos(t), 14 + radius * np.sin(t), ROOF + 6 + 3 * s, steel)
    lamp, drop = stage.glowing((0.90, 0.95, 1.0), 55), stage.ball(10, 8)
    for bank in range(13):
        middle = math.pi * (0.08 + 0.84 * bank / 12)
        for k in range(-3, 4):
            for row in range(2):
                a = middle + k * 0.022
                r = BOWL + 7.6
                stage.place(
                    drop,
                    (r * 0.92 * math.cos(a), 14 + r * math.sin(a), ROOF + 5.2 - row * 1.5),
                    scale=(0.30,) * 3,
                    coat=lamp,
                )


def picture(shot: Shot):
    glare = blur(np.minimum(shot.colour * (shot.colour.max(-1, keepdims=True) > 8), 40), 60 * shot.scale)
    linear = hazed(shot.colour, shot.depth, 60, 0.16, (0.10, 0.15, 0.26)) + 0.12 * glare
    picture = lens_blur(linear.astype(np.float32), shot.depth, LENS)
    return rough(picture, camera(shot.shape), shot.depth, LENS, grain=0.010, amount=0.7)
