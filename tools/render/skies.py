"""Skies for scenes inside Blender: a gradient from the horizon up, and cloud drawn on a high flat deck."""


def gradient(nodes, stops):
    """Colours by height above the horizon: 0 level, 1 overhead."""
    return nodes.ramp(_parts(nodes)[2], stops)


def clouded(nodes, stops, cloud, cover=(0.50, 0.68), stretch=(0.5, 1.6), most=0.8, glow=None):
    """A gradient behind clouds of one colour. `glow` = (x, colour, width): the last light, at one side of the
    horizon."""
    x, y, z = _parts(nodes)
    sky = nodes.ramp(z, stops)
    if glow:
        at, colour, width = glow
        away = nodes.sum(
            nodes.power(nodes.math('ABSOLUTE', nodes.sum(x, -at)), 2.0),
            nodes.times(nodes.power(nodes.math('ABSOLUTE', z), 2.0), 6.0),
        )
        lit = nodes.math('EXPONENT', nodes.times(away, -1 / width**2))
        sky = nodes.add('ShaderNodeMixRGB', {0: lit, 1: sky, 2: colour}, blend_type='ADD').outputs[0]
    deck = nodes.math('DIVIDE', 1.0, nodes.sum(nodes.math('MAXIMUM', z, 0.0), 0.10))
    place = nodes.vector(
        nodes.times(nodes.times(x, deck), stretch[0]), nodes.times(nodes.times(y, deck), stretch[1])
    )
    body = nodes.noise(0.55, 9, 0.56, place, 0.3)
    amount = nodes.times(nodes.span(body, *cover, 0, most), nodes.span(z, 0.01, 0.10))
    return nodes.blend(amount, sky, cloud)


def _parts(nodes):
    return nodes.along(nodes.add('ShaderNodeTexCoord').outputs['Generated'])
