"""A spacesuit: hard neck ring, padded white torso with quilting and folds, shoulder bearings, chest unit,
hoses, life-support pack."""

import math

import numpy as np

from develop import Grade
from figure import on_canvas, portrait_camera

RING, RING_Y, RING_TILT = (
    1.432,
    0.0,
    math.radians(13),
)  # the neck ring's height, its middle, and how far it leans forward
RING_X, RING_DEEP = 0.150, 0.94  # inner half width, and depth as a share of it

COSTUME = {
    'title': 'Astronaut',
    'tags': (
        'astronaut, spacesuit, space, cosmonaut, nasa, moon, mars, explorer, sci-fi, science, rocket'
    ).split(', '),
    'opening': {
        'left': on_canvas(-RING_X, 0, RING)[0],
        'right': on_canvas(RING_X, 0, RING)[0],
        'rim': on_canvas(0, -RING_X * RING_DEEP, RING - math.sin(RING_TILT) * RING_X * RING_DEEP + 0.03)[1],
    },
    'light': {
        'key': 0.24,
        'direction': [-0.5, 0.6, 0.62],
        'color': [1.0, 0.97, 0.93],
        'fill': [0.6, 0.68, 0.82],
    },
    'scenes': ['space-station', 'nebula', 'aurora'],
}
CAMERA = portrait_camera()
SAMPLES, SHARE = 12, 0.75
TRACE = {'bounces': 5, 'clamp': 4.0}
GRADE = Grade(exposure=0.05, contrast=1.32, saturation=1.05)


def build(stage):
    stage.clear(3)
    fabric = _fabric(stage)
    steel, blue, red = (
        _metal(stage, (0.56, 0.57, 0.59), 0.26),
        _metal(stage, (0.03, 0.11, 0.42), 0.3),
        _metal(stage, (0.46, 0.03, 0.02), 0.32),
    )
    white, dark = _enamel(stage, (0.68, 0.68, 0.67)), _enamel(stage, (0.025, 0.026, 0.03))
    torso, nape, surface = _torso(stage, fabric)
    front = [torso]
    ring_before, ring_behind = _neck_ring(stage, steel, blue, red, fabric)
    front += ring_before
    front += _chest_unit(stage, surface, white, dark, steel, blue, red)
    for side in (-1, 1):
        front += _shoulder_bearing(stage, side, steel, red)
        front += _hose(stage, side, surface, steel, (blue, red)[side > 0], dark)
    front += _patch(stage, surface) + _tape(stage, surface)
    back = [nape, *ring_behind, *_pack(stage, white, dark)]
    liner = _comfort_collar(stage)
    _lights(stage)
    return {'back': back, 'liner': liner, 'front': front}


def _fabric(stage):
    """Off-white coated cloth: fine weave, soft stains, dust in the folds."""

    def shade(nodes):
        weave_x = nodes.add(
            'ShaderNodeTexWave',
            {'Vector': nodes.own(), 'Scale': 210.0, 'Distortion': 0.5},
            bands_direction='X',
        ).outputs['Fac']
        weave_z = nodes.add(
            'ShaderNodeTexWave',
            {'Vector': nodes.own(), 'Scale': 210.0, 'Distortion': 0.5},
            bands_direction='Z',
        ).outputs['Fac']
        stains, fuzz = nodes.noise(6, 7, 0.62), nodes.noise(90, 4, 0.6)
        cavity = nodes.span(nodes.add('ShaderNodeNewGeometry').outputs['Pointiness'], 0.43, 0.51)
        colour = nodes.blend(
            nodes.span(stains, 0.45, 0.75, 0, 0.4), (0.80, 0.795, 0.775), (0.54, 0.52, 0.475)
        )
        height = nodes.sum(nodes.times(nodes.sum(weave_x, weave_z), 0.8), nodes.times(fuzz, 1.0))
        return {
            'Base Color': nodes.blend(
                nodes.span(nodes.sum(weave_x, weave_z), 0.4, 1.6, 0.22, 0),
                nodes.blend(cavity, (0.36, 0.345, 0.32), colour),
                (0.2, 0.19, 0.18),
            ),
            'Normal': nodes.bump(height, 0.6, 0.0016),
        }

    return stage.material(roughness=0.8, specular=0.25, shade=shade, Sheen=0.2)


def _metal(stage, tone, roughness):
    def shade(nodes):
        wear = nodes.noise(34, 6, 0.65, nodes.own())
        return {
            'Base Color': nodes.blend(nodes.span(wear, 0.5, 0.8, 0, 0.4), tone, tuple(c * 0.6 for c in tone)),
            'Roughness': nodes.span(wear, 0.3, 0.75, roughness * 0.7, roughness * 1.6),
        }

    return stage.material(metallic=1.0, shade=shade)


def _enamel(stage, tone):
    def shade(nodes):
        wear = nodes.noise(22, 6, 0.6)
        return {
            'Base Color': nodes.blend(nodes.span(wear, 0.5, 0.8, 0, 0.3), tone, tuple(c * 0.7 for c in tone)),
            'Roughness': nodes.span(wear, 0.3, 0.7, 0.3, 0.5),
        }

    return stage.material(shade=shade)


def _torso(stage, fabric):
    """The soft body from distances; what lies behind the neck is split off, for it belongs behind the
    head."""
    from solid import Volume, joined

    space = Volume((-0.56, -0.34, 0.72), (0.56, 0.30, 1.46), 0.0042, 3)
    broad, medium, fine = (
        space.wrinkles((0.08, 0.05, 0.014)),
        space.wrinkles((0.03, 0.03, 0.03)),
        space.wrinkles((0.016, 0.016, 0.007)),
    )
    body = space.block((0, 0, 0.96), (0.222, 0.160, 0.44), 0.13)
    body = joined(body, space.ellipsoid((0, -0.015, 1.21), (0.262, 0.185, 0.20)), 0.08)
    body = (
        body
        + (np.abs(broad) * -0.0075 + 0.004) * np.clip((1.17 - space.z) / 0.15, 0.2, 1)
        + medium * 0.0022
        + fine * 0.0012
    )
    quilt = np.abs(np.sin((space.z - 1.0) * math.pi / 0.058)) ** 0.35 * np.clip((space.z - 1.13) / 0.06, 0, 1)
    seam = np.exp(-(((np.abs(space.x) - 0.168 - 0.02 * (1.33 - space.z)) / 0.0045) ** 2))
    body = body - 0.0055 * quilt + 0.0050 * seam
    arms = None
    for side in (-1, 1):
        cap = joined(
            space.ellipsoid((side * 0.212, 0, 1.262), (0.135, 0.128, 0.115)),
            space.limb((side * 0.10, 0.01, 1.335), (side * 0.21, 0, 1.29), 0.072, 0.095)[0],
            0.04,
        )
        upper, along = space.limb((side * 0.262, 0, 1.235), (side * 0.372, -0.015, 0.96), 0.112, 0.096)
        lower, further = space.limb((side * 0.372, -0.015, 0.96), (side * 0.370, -0.12, 0.66), 0.096, 0.086)
        bellows = 0.0060 * np.sin(along * 46 + medium * 0.8) * np.clip(
            along * 3 - 0.9, 0, 1
        ) + 0.006 * np.sin(further * 44 + medium * 0.8)
        arm = (
            joined(joined(cap, upper, 0.05), lower, 0.035)
            + bellows * 0.8
            + np.abs(fine) * -0.0022
            + medium * 0.003
        )
        arms = arm if arms is None else np.minimum(arms, arm)
    whole = joined(body, arms, 0.020)
    hole = np.maximum(np.sqrt(space.x**2 + ((space.y - RING_Y) / RING_DEEP) ** 2) - 0.140, 1.30 - space.z)
    whole = np.maximum(np.maximum(whole, -hole), space.z - (1.408 + np.tan(RING_TILT) * space.y))
    vertices, faces = space.mesh(whole)
    middle = vertices[faces].mean(1)
    behind = (middle[:, 1] > 0.0) & (np.abs(middle[:, 0]) < 0.19) & (middle[:, 2] > 1.28)
    pieces = []
    for chosen in (faces[~behind], faces[behind]):
        piece = stage.place(stage.dense_mesh(vertices, chosen), coat=fabric)
        soft = piece.modifiers.new('soft', 'SMOOTH')
        soft.iterations, soft.factor = 3, 0.5
        pieces.append(piece)

    def surface(x, z):
        """The front of the suit at a place, so that fittings sit on it."""
        near = vertices[(np.abs(vertices[:, 0] - x) < 0.012) & (np.abs(vertices[:, 2] - z) < 0.012)]
        return float(near[:, 1].min()) if len(near) else -0.17

    return pieces[0], pieces[1], surface


def _on_ring(angle, radius, height):
    """A point of the neck ring's own frame, leant forward, in the suit's frame."""
    x, y = radius * math.cos(angle), radius * RING_DEEP * math.sin(angle)
    c, s = math.cos(RING_TILT), math.sin(RING_TILT)
    return x, RING_Y + y * c - height * s, RING + y * s + height * c


def _half_ring(stage, profile, coat, before):
    """A profile swept around the front or the back half of the ring."""
    angles = np.linspace(math.pi, math.tau, 97) if before else np.linspace(0, math.pi, 97)
    points = np.array([[_on_ring(a, r, h) for a in angles] for r, h in profile])
    return stage.creased(stage.sheet(points[..., 0], points[..., 1], points[..., 2], coat), 35)


def _neck_ring(stage, steel, blue, red, fabric):
    body = [
        (0.148, -0.05),
        (0.168, -0.05),
        (0.178, -0.044),
        (0.182, -0.034),
        (0.182, -0.015),
        (0.176, -0.009),
        (0.172, -0.008),
        (0.172, -0.002),
    ]
    body += [
        (0.184, 0.003),
        (0.187, 0.010),
        (0.187, 0.026),
        (0.182, 0.033),
        (0.164, 0.036),
        (0.155, 0.030),
        (0.152, 0.0),
        (0.150, -0.05),
    ]
    band = [(0.1725, -0.0085), (0.1775, -0.0080), (0.1775, -0.0025), (0.1725, -0.002)]
    roll = [
        (0.155, -0.10),
        (0.196, -0.096),
        (0.213, -0.082),
        (0.214, -0.068),
        (0.198, -0.052),
        (0.170, -0.046),
    ]
    halves = []
    for before in (True, False):
        things = [
            _half_ring(stage, body, steel, before),
            _half_ring(stage, band, blue, before),
            _half_ring(stage, roll, fabric, before),
        ]
        for k in range(24):
            angle = math.tau * (k + 0.5) / 24
            if (math.sin(angle) < 0) == before:
                lug = red if k % 6 == 2 else steel
                things.append(
                    stage.box(
                        _on_ring(angle, 0.184, -0.025),
                        (0.013, 0.008, 0.012),
                        lug,
                        (RING_TILT, 0, angle + math.pi / 2),
                        bevel=0.002,
                    )
                )
        halves.append(things)
    for angle in (-math.pi / 2, -0.62, -2.52):
        latch = red if angle == -math.pi / 2 else steel
        halves[0].append(
            stage.box(
                _on_ring(angle, 0.192, -0.020),
                (0.052, 0.020, 0.028),
                latch,
                (RING_TILT, 0, angle + math.pi / 2),
                bevel=0.004,
                segments=3,
            )
        )
        halves[0].append(
            stage.box(
                _on_ring(angle, 0.203, -0.020),
                (0.030, 0.008, 0.012),
                steel,
                (RING_TILT, 0, angle + math.pi / 2),
                bevel=0.002,
            )
        )
    inner = [(0.1515, 0.03), (0.1505, -0.06), (0.146, -0.12)]
    halves[1].append(_half_ring(stage, inner, stage.material((0.03, 0.03, 0.033), 0.7), False))
    return halves


def _comfort_collar(stage):
    """Dark padded cloth inside the ring, up to under the chin: it hides the neck and what was worn under
    it."""

    def shade(nodes):
        weave = nodes.noise(380, 2, 0.5)
        return {
            'Base Color': nodes.blend(nodes.noise(12, 4, 0.6), (0.040, 0.042, 0.047), (0.022, 0.023, 0.026)),
            'Normal': nodes.bump(weave, 0.5, 0.001),
        }

    cloth = stage.material(roughness=0.85, shade=shade, Sheen=0.4)
    angle, share = np.meshgrid(np.linspace(-1.75, 1.75, 181), np.linspace(0, 1, 60))
    ribs = 0.0028 * np.abs(np.sin(share * math.pi * 4)) ** 0.5
    radius = 0.150 - 0.052 * share**0.75 + ribs
    top = 1.432 + 0.020 * (1 - np.cos(angle))
    top = 1.385 + (top - 1.385) * np.clip(np.cos(angle * 0.9), 0, 1) ** 0.6
    x, y = radius * np.sin(angle), -radius * 0.86 * np.cos(angle)
    return [stage.sheet(x, y, 1.385 + (top - 1.385) * share, cloth)]


def _chest_unit(stage, surface, white, dark, steel, blue, red):
    """The control box: a display, three dials, a row of switches, and connectors below."""
    lean = math.radians(6)
    y = surface(0, 1.06) - 0.030
    face = y - 0.052
    things = [
        stage.box((0, y, 1.045), (0.25, 0.10, 0.16), white, (lean, 0, 0), bevel=0.018, segments=4),
        stage.box((0, face + 0.001, 1.058), (0.214, 0.008, 0.104), dark, (lean, 0, 0), bevel=0.004),
        stage.box(
            (-0.052, face - 0.004, 1.076),
            (0.082, 0.004, 0.040),
            stage.glowing((0.10, 0.50, 0.66), 0.12),
            (lean, 0, 0),
        ),
    ]
    for k, reach in enumerate((0.058, 0.034, 0.066, 0.046)):
        bar = (reach, 0.003, 0.0045)
        at = (-0.052 - (0.070 - reach) / 2, face - 0.006, 1.0885 - k * 0.0085)
        things.append(stage.box(at, bar, stage.glowing((0.25, 0.85, 1.0), 1.3), (lean, 0, 0)))
    for k in range(3):
        x = 0.020 + 0.036 * k
        dial = stage.lathe(
            [(0, 0.018), (0.010, 0.018), (0.0125, 0.014), (0.0135, 0)],
            24,
            (steel, red, blue)[k],
            (x, face - 0.004, 1.080),
            (math.pi / 2 + 0.1, 0, 0),
        )
        things += [
            stage.creased(dial),
            stage.box((x, face - 0.023, 1.080), (0.003, 0.004, 0.018), white, (0, 0.5 * k - 0.4, 0)),
        ]
    for k in range(6):
        things.append(
            stage.box(
                (-0.088 + k * 0.035, face - 0.001, 1.028),
                (0.022, 0.012, 0.015),
                (white, red, white, steel, white, blue)[k],
                (lean, 0, 0),
                bevel=0.002,
            )
        )
    for x in (-0.095, 0.095):
        for z in (0.985, 1.105):
            things.append(
                stage.lathe(
                    [(0, 0.004), (0.005, 0.004), (0.006, 0)],
                    14,
                    steel,
                    (x * 1.15, face + 0.004, z),
                    (math.pi / 2, 0, 0),
                )
            )
    return things


def _shoulder_bearing(stage, side, steel, red):
    """The ring on which the arm turns, and a stripe of rank below it."""
    things = []
    for centre, radius, thick, coat in (
        ((0.292, -0.004, 1.160), 0.1145, 0.0085, steel),
        ((0.303, -0.006, 1.131), 0.1125, 0.010, red),
    ):
        axis = np.array([0.110, -0.015, -0.275]) / np.linalg.norm([0.110, -0.015, -0.275])
        across = np.cross(axis, [0, 1, 0])
        across /= np.linalg.norm(across)
        third = np.cross(axis, across)
        circle = [
            np.array(centre) + radius * (math.cos(t) * across + math.sin(t) * third)
            for t in np.linspace(0, math.tau, 72, endpoint=False)
        ]
        things.append(
            stage.tube([(side * p[0], p[1], p[2]) for p in circle], thick, coat, closed=True, resolution=5)
        )
    return things


def _hose(stage, side, surface, steel, accent, dark):
    """A connector on the chest and a corrugated hose that runs from it around the flank."""
    x, z = side * 0.135, 1.205
    y = surface(x, z) + 0.004
    turn = (math.pi / 2, 0, side * 0.25)
    body = [
        (0, -0.004),
        (0.031, -0.004),
        (0.035, 0.003),
        (0.035, 0.014),
        (0.029, 0.016),
        (0.029, 0.026),
        (0.033, 0.028),
        (0.033, 0.040),
        (0.02, 0.043),
        (0, 0.043),
    ]
    things = [
        stage.creased(stage.lathe(body, 44, steel, (x, y, z), turn)),
        stage.lathe(
            [(0.0295, 0.017), (0.0305, 0.017), (0.0305, 0.025), (0.0295, 0.025)], 44, accent, (x, y, z), turn
        ),
    ]
    start = np.array([x, y - 0.036, z])
    guides = np.array(
        [
            start,
            start + [side * 0.015, -0.060, -0.020],
            [side * 0.205, -0.285, 1.085],
            [side * 0.262, -0.235, 0.93],
            [side * 0.285, -0.10, 0.78],
            [side * 0.26, 0.08, 0.68],
        ]
    )
    path = _spline(guides, 170)
    hose = stage.tube([tuple(p) for p in path], 0.0175, dark, resolution=6)
    for k, point in enumerate(hose.data.splines[0].points):
        point.radius = 1 + 0.13 * math.sin(k * 2.1)
    return [*things, hose]


def _spline(guides, count):
    """A smooth curve through the points (Catmull-Rom)."""
    padded = np.vstack([guides[:1], guides, guides[-1:]])
    result = []
    for t in np.linspace(0, len(guides) - 1.0001, count):
        k, u = int(t), t - int(t)
        a, b, c, d = padded[k : k + 4]
        result.append(
            0.5 * (2 * b + (c - a) * u + (2 * a - 5 * b + 4 * c - d) * u**2 + (3 * b - a - 3 * c + d) * u**3)
        )
    return result


def _patch(stage, surface):
    """A round mission badge: a planet, an orbit, no letters."""
    x, z, radius = 0.082, 1.295, 0.036
    y = surface(x, z) - 0.003
    things = []
    for share, tone, out in (
        (1.0, (0.62, 0.47, 0.16), 0.0),
        (0.91, (0.015, 0.03, 0.13), 0.0015),
        (0.50, (0.42, 0.06, 0.04), 0.003),
    ):
        thread = stage.material(
            tone, 0.85, shade=lambda nodes: {'Normal': nodes.bump(nodes.noise(320, 2, 0.5), 0.5, 0.001)}
        )
        things.append(
            stage.lathe(
                [(0, 0.002), (radius * share * 0.985, 0.002), (radius * share, 0)],
                48,
                thread,
                (x, y - out, z),
                (math.pi / 2 - 0.12, 0, 0),
            )
        )
    orbit = [
        (x + radius * 0.78 * math.cos(t), y - 0.0065, z + radius * (0.26 * math.sin(t) + 0.30 * math.cos(t)))
        for t in np.linspace(0, math.tau, 40, endpoint=False)
    ]
    things.append(stage.tube(orbit, 0.0013, stage.material((0.78, 0.74, 0.62), 0.6), closed=True))
    return things


def _tape(stage, surface):
    """A woven tape opposite the badge, striped in the suit's colours."""
    x, z = -0.082, 1.295
    y = min(surface(x + dx, z) for dx in (-0.045, 0, 0.045)) - 0.001
    thread = [
        stage.material(tone, 0.85) for tone in ((0.62, 0.47, 0.16), (0.015, 0.03, 0.13), (0.42, 0.06, 0.04))
    ]
    sizes = ((0.094, 0.032, 0.0), (0.090, 0.028, 0.0012), (0.090, 0.006, 0.0024))
    return [
        stage.box((x, y - out, z), (wide, 0.004, tall), coat, (-0.03, 0, 0), bevel=0.001)
        for (wide, tall, out), coat in zip(sizes, thread)
    ]


def _pack(stage, white, dark):
    """Life support behind the shoulders."""
    things = [
        stage.box((0, 0.26, 1.20), (0.47, 0.17, 0.64), white, bevel=0.05, segments=5),
        stage.box((0, 0.245, 1.535), (0.33, 0.12, 0.09), white, bevel=0.03, segments=4),
        stage.box((0, 0.185, 1.545), (0.10, 0.01, 0.028), dark, bevel=0.004),
    ]
    for side in (-1, 1):
        things.append(
            stage.box(
                (side * 0.135, 0.185, 1.545),
                (0.030, 0.012, 0.020),
                stage.glowing((1, 0.93, 0.82), 2.2),
                bevel=0.004,
            )
        )
    return things


def _lights(stage):
    """A clear key from the upper left, cool edges from behind on both sides, and a pale room for the metal to
    mirror."""

    def room(nodes):
        way = nodes.add('ShaderNodeTexCoord').outputs['Generated']
        strips = nodes.span(nodes.noise(2.2, 2, 0.5, way), 0.54, 0.66)
        up = nodes.add('ShaderNodeSeparateXYZ', {0: way}).outputs[2]
        wall = nodes.blend(nodes.span(up, -0.6, 0.7), (0.03, 0.035, 0.045), (0.22, 0.25, 0.30))
        return nodes.blend(strips, wall, (1.3, 1.4, 1.5))

    stage.sky(strength=0.24, shade=room)
    stage.lamp('AREA', (-1.8, -1.5, 2.6), 74, (1, 0.97, 0.93), 0.8, (0, 0, 1.2))
    stage.lamp('AREA', (1.9, -1.2, 1.5), 5, (0.75, 0.87, 1), 1.0, (0, 0, 1.1))
    stage.lamp('AREA', (1.6, 1.4, 2.1), 60, (0.68, 0.84, 1), 0.7, (0.1, 0, 1.25))
    stage.lamp('AREA', (-1.6, 1.4, 1.9), 36, (0.85, 0.93, 1), 0.7, (-0.1, 0, 1.25))
