"""A cave under a glacier: blue ice in melted shells, daylight at its mouth, packed snow underfoot."""

import numpy as np

from camera import Camera
from caves import tunnel
from develop import Grade, Lens, blur, hazed, lens_blur
from ground import rough
from shot import Shot

SCENE = {
    'title': 'Ice cave',
    'tags': (
        'ice, glacier, ice cave, frozen, iceland, arctic, polar, explorer, blue, cold, winter, frosty, '
        'antarctica, frost'
    ).split(', '),
    'light': {'direction': [0.2, 0.72, 0.66], 'color': [0.82, 0.94, 1.0], 'fill': [0.4, 0.6, 0.82]},
    'grade': {'contrast': 0.13, 'vignette': 0.2},
}
SAMPLES = 10
SHARE = 0.44
TRACE = {'bounces': 3, 'clamp': 3.0, 'least': 5}
BAND = 0.22
LENS = Lens(focus=2.8, radius=8)
GRADE = Grade(
    exposure=-0.2, contrast=1.5, saturation=1.08, bloom=0.09, threshold=0.7, vignette=0.28, grain=0.009
)


def camera(shape):
    return Camera(eye=(0, -2.8, 1.6), target=(0, 10, 2.1), lens=32)


def build(stage, shape):
    stage.clear(43)
    tunnel(
        stage,
        _ice(stage),
        3.4,
        5.6,
        (-6, 22),
        lambda s: 1.0 - 0.12 * np.sin(s * 7),
        0.42,
        0.50,
        seed=21,
        rings=420,
        around=520,
        floor=-0.12,
    )
    stage.plane((0, 18, 0.0), 60, 56, _snow(stage))
    stage.plane((0, 46, 12), 90, 44, _outside(stage), (1.5708, 0, 0))
    stage.lamp('AREA', (0, 21, 2.6), 900, (0.72, 0.90, 1.0), 4, (0, 4, 0.6), height=4)
    stage.lamp('AREA', (0.5, -3.0, 3.8), 90, (0.85, 0.95, 1.0), 2.4, (0, 4, 0.6))
    stage.sky((0.20, 0.38, 0.6), 0.25)


def _outside(stage):
    """A winter sky over far white ridges, as bright as the eye sees day from inside."""

    def shade(nodes):
        x, _, z = nodes.along(nodes.position())
        colour = nodes.ramp(
            nodes.span(z, 0.5, 14),
            [(0.0, (1.0, 0.93, 0.86)), (0.4, (0.78, 0.91, 1.0)), (1.0, (0.46, 0.72, 1.0))],
        )
        for base, rise, scale, tone in (
            (3.4, 3.2, 0.10, (0.62, 0.78, 0.95)),
            (1.6, 2.2, 0.17, (0.45, 0.62, 0.82)),
        ):
            ridge = nodes.span(
                nodes.noise(scale, 7, 0.6, nodes.vector(x, base, 0.0)), 0.3, 0.7, base - rise, base + rise
            )
            land = nodes.span(nodes.sum(z, nodes.times(ridge, -1.0)), -0.06, 0.06, 1.0, 0.0)
            snow = nodes.span(nodes.noise(0.5, 6, 0.62, nodes.position((1, 1, 0.45))), 0.42, 0.58, 0.75, 1.15)
            colour = nodes.blend(land, colour, nodes.blend(snow, (0.24, 0.36, 0.52), tone))
        return {'Base Color': (0, 0, 0), 'Emission': colour, 'Emission Strength': 2.6}

    return stage.material(specular=0.0, shade=shade)


def _ice(stage):
    """Clear ice glows where daylight comes through it: brighter overhead and towards the mouth."""

    def shade(nodes):
        x, y, z = nodes.along(nodes.position())
        layer = nodes.noise(0.55, 7, 0.6, nodes.position((0.6, 0.3, 1.6)), 1.0)
        vein = nodes.math('ABSOLUTE', nodes.sum(nodes.noise(0.8, 6, 0.6, distortion=1.6), -0.5))
        through = nodes.times(nodes.span(z, 0.2, 5.0, 0.10, 1.0), nodes.span(y, -3, 20, 0.35, 1.35))
        through = nodes.times(through, nodes.span(layer, 0.3, 0.7, 0.35, 1.3))
        colour = nodes.ramp(
            through,
            [
                (0.0, (0.004, 0.06, 0.20)),
                (0.4, (0.02, 0.24, 0.60)),
                (0.8, (0.20, 0.62, 0.92)),
                (1.0, (0.55, 0.86, 1.0)),
            ],
        )
        return {
            'Base Color': nodes.blend(
                nodes.span(vein, 0, 0.03, 0.22, 0.0), (0.14, 0.40, 0.62), (0.6, 0.8, 0.92)
            ),
            'Emission': colour,
            'Emission Strength': nodes.times(through, 0.75),
            'Roughness': nodes.span(layer, 0.3, 0.7, 0.42, 0.62),
            'Normal': nodes.bump(nodes.noise(3.5, 4, 0.55), 0.12, 0.05),
        }

    return stage.material(specular=0.3, shade=shade)


def _snow(stage):
    def shade(nodes):
        drift, crust = nodes.noise(0.5, 6, 0.6), nodes.noise(16, 5, 0.65)
        return {
            'Base Color': nodes.blend(nodes.span(drift, 0.35, 0.65), (0.86, 0.91, 0.96), (0.62, 0.75, 0.88)),
            'Roughness': nodes.span(crust, 0.3, 0.7, 0.35, 0.8),
            'Normal': nodes.bump(nodes.sum(drift, nodes.times(crust, 0.15)), 0.7, 0.12),
        }

    return stage.material(shade=shade)


def picture(shot: Shot):
    mouth = blur(shot.colour * (shot.depth > 18)[..., None], 40 * shot.scale)
    linear = hazed(shot.colour, shot.depth, 18, 0.22, (0.26, 0.46, 0.66)) + 0.15 * mouth
    picture = lens_blur(linear.astype(np.float32), shot.depth, LENS)
    return rough(picture, camera(shot.shape), shot.depth, LENS, grain=0.018, amount=0.6)
