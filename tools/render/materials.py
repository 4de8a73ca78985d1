"""Surfaces that several scenes share. Each takes the stage, so that it runs inside Blender only."""

import math

GILT, BRASS, IRON = (0.75, 0.50, 0.16), (0.70, 0.46, 0.17), (0.03, 0.028, 0.026)


def darker(tone, share=0.5):
    return tuple(channel * share for channel in tone)


def worn(stage, tone, dark=0.45, size=1.1, rough=(0.5, 0.9), bump=0.5, **more):
    """Stone, plaster, paint: two scales of wear, and every piece a little different."""

    def shade(nodes):
        coarse, fine = nodes.noise(size, 7, 0.62), nodes.noise(size * 13, 5, 0.6)
        colour = nodes.blend(nodes.span(coarse, 0.3, 0.7), tone, darker(tone, 0.35 + dark / 2))
        colour = nodes.blend(nodes.times(nodes.chance(), 0.35), colour, darker(tone, 0.6))
        colour = nodes.blend(nodes.span(fine, 0.4, 0.75, 0, 0.5), colour, darker(tone, dark))
        height = nodes.sum(nodes.times(coarse, 0.6), nodes.times(fine, 0.4))
        return {
            'Base Color': colour,
            'Roughness': nodes.span(fine, 0.25, 0.75, *rough),
            'Normal': nodes.bump(height, bump, 0.03),
        }

    return stage.material(shade=shade, **more)


def wood(stage, tone, grain_along=(6, 0.7, 0.7), rough=(0.26, 0.44), **more):
    """Grain is drawn out along the axis with the smallest number."""

    def shade(nodes):
        grain = nodes.noise(7, 8, 0.6, nodes.position(grain_along), 1.2)
        colour = nodes.blend(grain, tone, darker(tone, 0.45))
        return {
            'Base Color': nodes.blend(nodes.times(nodes.chance(), 0.4), colour, darker(tone, 0.55)),
            'Roughness': nodes.span(grain, 0.3, 0.7, *rough),
            'Normal': nodes.bump(grain, 0.18, 0.006),
        }

    return stage.material(shade=shade, **more)


def velvet(stage, tone):
    def shade(nodes):
        pile = nodes.noise(3, 5, 0.6)
        return {
            'Base Color': nodes.blend(pile, tone, darker(tone, 0.6)),
            'Normal': nodes.bump(nodes.noise(45, 3, 0.6), 0.15, 0.01),
        }

    return stage.material(roughness=0.8, specular=0.15, shade=shade, Sheen=1.0)


def marble(stage, pale, vein, rough=0.12):
    def shade(nodes):
        cloud = nodes.noise(1.4, 8, 0.6, distortion=1.6)
        line = nodes.math('ABSOLUTE', nodes.sum(nodes.noise(0.9, 8, 0.65, distortion=2.2), -0.5))
        colour = nodes.blend(nodes.span(line, 0.0, 0.05, 0.75, 0.0), pale, vein)
        colour = nodes.blend(nodes.span(cloud, 0.35, 0.7, 0, 0.45), colour, darker(pale, 0.7))
        colour = nodes.blend(nodes.times(nodes.chance(), 0.25), colour, darker(pale, 0.75))
        return {'Base Color': colour, 'Roughness': nodes.span(cloud, 0.3, 0.7, rough * 0.6, rough * 1.6)}

    return stage.material(shade=shade)


def wet_ground(stage, dry, wet, puddles=0.35, bump=0.3):
    """Asphalt or slabs after rain: rough between puddles that mirror."""

    def shade(nodes):
        puddle = nodes.span(nodes.noise(puddles, 4, 0.5), 0.40, 0.56)
        grit, ripple = nodes.noise(60, 3, 0.6), nodes.noise(7, 2, 0.5)
        height = nodes.sum(nodes.times(grit, nodes.span(puddle, 0, 1, 0.6, 0)), nodes.times(ripple, 0.10))
        return {
            'Base Color': nodes.blend(puddle, dry, wet),
            'Roughness': nodes.span(puddle, 0, 1, 0.26, 0.05),
            'Normal': nodes.bump(height, bump, 0.02),
        }

    return stage.material(specular=0.7, shade=shade)


def water(stage, deep, wave=0.5, strength=0.35):
    """Open water; waves are `wave` metres long."""

    def shade(nodes):
        swell = nodes.noise(1 / wave, 4, 0.55, nodes.position((1, 1.6, 1)))
        return {'Normal': nodes.bump(swell, strength, 0.12 * wave)}

    return stage.material(deep, 0.05, specular=0.6, shade=shade)


def facade(
    stage,
    wall,
    lights,
    lit=0.4,
    strength=3.0,
    bay=2.2,
    storey=3.2,
    unlit=True,
    blocks=0.0,
    pane=0.3,
    turned=0,
):
    """A house front of windows, some lit: by place, so that no two houses repeat each other. A wall that is not
    to show its unlit windows has only the lit ones; `blocks` is the length of the stones it is built of, `pane`
    half a window's width as a share of its bay, `turned` how many bays a round tower has."""

    def shade(nodes):
        x, y, z = nodes.along(nodes.position())
        across = nodes.times(nodes.sum(x, y), 1 / bay)
        if turned:
            side, front, _ = nodes.along(nodes.own())
            across = nodes.times(nodes.math('ARCTAN2', front, side), turned / math.tau)
        up = nodes.times(z, 1 / storey)
        cell = nodes.vector(nodes.math('FLOOR', across), nodes.math('FLOOR', up), nodes.chance())
        chance, colour = nodes.scatter(cell)
        inside = nodes.math('COMPARE', nodes.math('FRACT', across), 0.5)
        inside.node.inputs[2].default_value = pane
        between = nodes.math('COMPARE', nodes.math('FRACT', up), 0.5)
        between.node.inputs[2].default_value = 0.27
        glass = nodes.times(inside, between)
        burning = nodes.math('LESS_THAN', chance, lit)
        if not unlit:
            glass = nodes.times(glass, burning)
        hue = nodes.along(colour)
        tint = nodes.ramp(hue[0], [(k / max(len(lights) - 1, 1), light) for k, light in enumerate(lights)])
        power = nodes.times(
            nodes.times(glass, burning), nodes.span(hue[1], 0, 1, 0.2 * strength, 1.6 * strength)
        )
        plaster = nodes.blend(nodes.noise(0.6), wall, darker(wall, 0.6))
        if blocks:
            course = nodes.math('FLOOR', nodes.times(z, 2 / blocks))
            along = nodes.math(
                'FLOOR', nodes.sum(nodes.times(across, bay / blocks), nodes.times(course, 0.37))
            )
            stone, _ = nodes.scatter(nodes.vector(along, course))
            plaster = nodes.blend(stone, plaster, darker(wall, 0.3))
        return {
            'Base Color': nodes.blend(glass, plaster, (0.01, 0.012, 0.016)),
            'Roughness': nodes.span(glass, 0, 1, 0.8, 0.12),
            'Emission': tint,
            'Emission Strength': power,
        }

    return stage.material(shade=shade)
