"""A deep-sea diver of the copper age, helmet off: corselet with its bolted brass straps, heavy canvas dress,
lead weight on ropes, woollen collar."""

import math

import numpy as np

import garment
from develop import Grade
from figure import on_canvas, portrait_camera

RING, TILT, INNER = 1.414, math.radians(11), 0.108  # the neck ring's height, its lean forward, inner radius
LINED = 0.076  # half width of the woollen collar inside of it

COSTUME = {
    'title': 'Diver',
    'tags': (
        'diver, deep sea diver, diving, diving suit, scuba, submarine, nautilus, treasure hunter, wreck, copper, '
        'steampunk'
    ).split(', '),
    'opening': {
        'left': on_canvas(-LINED, 0, RING)[0],
        'right': on_canvas(LINED, 0, RING)[0],
        'rim': on_canvas(0, -LINED, 1.450)[1],
    },
    'light': {
        'key': 0.22,
        'direction': [-0.5, 0.6, 0.62],
        'color': [1.0, 0.93, 0.82],
        'fill': [0.5, 0.66, 0.78],
    },
    'scenes': ['underwater', 'harbour-dusk', 'ocean-golden'],
}
CAMERA = portrait_camera()
SAMPLES, SHARE = 10, 0.65
TRACE = {'bounces': 5, 'clamp': 4.0}
GRADE = Grade(exposure=0.15, contrast=1.3, saturation=1.05)


def build(stage):
    stage.clear(23)
    canvas = garment.cloth(stage, (0.36, 0.27, 0.155), 300, 0.0014, 0.62, 0.8, 0.15, _worn)
    copper = garment.metal(stage, (0.62, 0.26, 0.13), 0.27, 0.45)
    brass = garment.metal(stage, (0.66, 0.45, 0.17), 0.22, 0.35)
    lead = garment.metal(stage, (0.16, 0.165, 0.175), 0.55, 0.5)
    rope = _rope(stage)
    dress, nape, surface = _dress(stage, canvas)
    front, back = [dress], [nape]
    before, behind = _corselet(stage, copper, brass)
    front += before
    back += behind
    before, behind = _neck_ring(stage, brass, copper)
    front += before
    back += behind
    front += _weight(stage, surface, lead, brass, rope)
    wool = garment.cloth(stage, (0.30, 0.022, 0.018), 260, 0.0022, 0.75, 0.95, 0.8)
    liner = [garment.knitted_collar(stage, wool, 1.472, 1.350, (INNER - 0.002, LINED), 0.86, 56, 0.0024)]
    garment.studio(
        stage,
        84,
        (1, 0.93, 0.82),
        8,
        (0.62, 0.82, 1.0),
        ((40, (1, 0.82, 0.62)), (64, (0.55, 0.82, 1.0))),
        room=(0.03, 0.28),
        strength=0.42,
    )
    return {'back': back, 'liner': liner, 'front': front}


def _worn(nodes, colour):
    """Salt and oil: stains that run downwards."""
    stains = nodes.noise(9, 7, 0.65, nodes.position((1, 1, 0.35)))
    return nodes.blend(nodes.span(stains, 0.5, 0.78, 0, 0.6), colour, (0.14, 0.10, 0.06))


def _rope(stage):
    def strands(nodes):
        twist = nodes.add(
            'ShaderNodeTexWave',
            {'Vector': nodes.position((1, 1, 1)), 'Scale': 70.0, 'Distortion': 1.0},
            bands_direction='DIAGONAL',
        ).outputs['Fac']
        return {
            'Base Color': nodes.blend(twist, (0.20, 0.14, 0.07), (0.46, 0.36, 0.21)),
            'Normal': nodes.bump(nodes.sum(twist, nodes.times(nodes.noise(500, 2, 0.6), 0.4)), 0.9, 0.003),
        }

    return stage.material(roughness=0.9, shade=strands)


def _dress(stage, canvas):
    from solid import Volume, joined

    space = Volume((-0.48, -0.28, 0.72), (0.48, 0.26, 1.46), 0.0042, 23)
    trunk, arms = garment.body(space, 0.016, 2.0, 1.7)
    return garment.sewn(stage, space, joined(trunk, arms, 0.03), canvas, hole=(0.104, 0.092), top=1.42)


def _plate(angle, share, lift=0.0):
    """The corselet: from the neck over the shoulders and down on breast and back."""
    front = np.cos(angle) ** 2
    side = np.abs(np.sin(angle))
    wide = 0.118 + (0.130 + lift) * share**0.85 + lift
    deep = 0.110 + (0.082 + lift) * share**0.8 + lift
    corner = 1 + 0.10 * np.abs(np.sin(2 * angle)) ** 2 * share
    drop = share**1.5 * (0.024 * side**2 + 0.205 * front)
    return wide * corner, deep * corner, 1.414 - 0.016 * share**0.6 - drop + lift * (1 - share) + lift * 0.6


def _point(angle, share, lift):
    wide, deep, z = (float(v) for v in _plate(np.array(angle), np.array(share), lift))
    return np.array([wide * math.sin(angle), 0.005 - deep * math.cos(angle), z])


def _corselet(stage, copper, brass):
    before, behind = garment.round_neck(stage, copper, _plate, 0.005, 0.0015, (241, 60))
    rim = garment.round_neck(stage, brass, lambda a, s: _plate(a, 0.86 + 0.13 * s, 0.0055), 0.0045, 0.0018)
    front, back = [before, rim[0]], [behind, rim[1]]
    nut = stage.creased(
        stage.lathe(
            [
                (0, 0.013),
                (0.0045, 0.013),
                (0.0052, 0.011),
                (0.0052, 0.007),
                (0.0105, 0.007),
                (0.0115, 0.005),
                (0.0115, -0.003),
            ],
            6,
            brass,
            (0, 0, -9),
            smooth=False,
        ),
        30,
    ).data
    washer = stage.lathe([(0, 0.002), (0.0145, 0.002), (0.0155, -0.002)], 32, brass, (0, 0, -9)).data
    from mathutils import Vector

    for k in range(18):
        angle = math.tau * (k + 0.5) / 18
        middle, out = _point(angle, 0.925, 0.008), _point(angle, 0.925, 0.03)
        around = _point(angle + 0.01, 0.925, 0.008) - _point(angle - 0.01, 0.925, 0.008)
        along = _point(angle, 0.97, 0.008) - _point(angle, 0.88, 0.008)
        normal = np.cross(around, along)
        normal *= np.sign(normal @ (out - middle)) / np.linalg.norm(normal)
        turn = Vector(normal).to_track_quat('Z', 'Y').to_euler()
        store = front if math.cos(angle) > -0.05 else back
        store.append(stage.place(washer, tuple(middle), turn, coat=brass))
        store.append(stage.place(nut, tuple(middle), turn, coat=brass))
    # a stud on each breast, which the weight hangs from
    for angle in (-0.9, 0.9):
        spot = _point(angle * 0.62, 0.50, 0.004)
        stud = [
            (0, 0.022),
            (0.008, 0.022),
            (0.010, 0.019),
            (0.010, 0.010),
            (0.017, 0.008),
            (0.019, 0.004),
            (0.019, -0.004),
        ]
        front.append(
            stage.creased(stage.lathe(stud, 40, brass, tuple(spot), (math.radians(62), 0, angle * 0.55)), 35)
        )
    return front, back


def _on_ring(angle, radius, height):
    """A point of the neck ring's own frame, whose inner radius is 0.132, leant forward, in the suit's frame."""
    radius += INNER - 0.132
    x, y = radius * math.sin(angle), -radius * math.cos(angle)
    c, s = math.cos(TILT), math.sin(TILT)
    return x, 0.004 + y * c - height * s, RING + y * s + height * c


def _neck_ring(stage, brass, copper):
    """Turned brass with the broken thread that locks the helmet, and a shoulder of copper below."""
    body = [
        (0.131, -0.06),
        (0.146, -0.06),
        (0.150, -0.050),
        (0.150, -0.026),
        (0.146, -0.020),
        (0.141, -0.018),
    ]
    for k in range(3):
        low = -0.014 + 0.012 * k
        body += [(0.140, low), (0.1465, low + 0.002), (0.1465, low + 0.007), (0.140, low + 0.009)]
    body += [
        (0.141, 0.026),
        (0.1445, 0.028),
        (0.1445, 0.034),
        (0.140, 0.037),
        (0.134, 0.035),
        (0.1315, 0.03),
        (0.131, -0.06),
    ]
    flare = [(0.166, -0.078), (0.160, -0.066), (0.152, -0.056), (0.146, -0.050)]
    halves = []
    for start in (-math.pi / 2, math.pi / 2):
        angles = np.linspace(start, start + math.pi, 121)
        things = []
        for profile, coat in ((body, brass), (flare, copper)):
            points = np.array([[_on_ring(a, r, h) for a in angles] for r, h in profile])
            things.append(
                stage.creased(stage.sheet(points[..., 0], points[..., 1], points[..., 2], coat), 32)
            )
        halves.append(things)
    for k in range(8):
        angle = math.tau * k / 8
        # the gaps in the thread, closed with a plate
        block = stage.box(
            _on_ring(angle, 0.1445, 0.004), (0.030, 0.0065, 0.042), brass, (TILT, 0, angle), bevel=0.002
        )
        halves[0 if math.cos(angle) > 0 else 1].append(block)
    return halves


def _weight(stage, surface, lead, brass, rope):
    """The lead on the breast, hung from the corselet."""
    things = []
    u = np.linspace(0, math.tau, 120, endpoint=False)
    x = 0.078 * np.sign(np.cos(u)) * np.abs(np.cos(u)) ** 0.75
    z = 0.070 * np.sign(np.sin(u)) * np.abs(np.sin(u)) ** 0.8
    x = x * (1 - 0.28 * np.clip(-z / 0.07, 0, 1) ** 1.4)
    rings = [(0.0, -0.016), (0.70, -0.016), (0.93, -0.013), (1.0, -0.006), (1.0, 0.012)]
    points = np.array(
        [[(s * a, y, s * b) for a, b in zip(np.append(x, x[0]), np.append(z, z[0]))] for s, y in rings]
    )
    slab = stage.sheet(points[..., 0], points[..., 1] - 0.178, points[..., 2] + 1.045, lead)
    things.append(stage.creased(slab, 50))
    for side in (-1, 1):
        eye = (side * 0.050, -0.196, 1.097)
        ring = [
            (eye[0] + 0.010 * math.cos(t), eye[1] - 0.002, eye[2] + 0.010 * math.sin(t))
            for t in np.linspace(0, math.tau, 28, endpoint=False)
        ]
        things.append(stage.tube(ring, 0.0026, brass, closed=True))
        t = np.linspace(0, 1, 40)
        stud = _point(side * 0.558, 0.50, 0.016)
        line = [
            (
                eye[0] + (stud[0] - eye[0]) * k,
                eye[1] - 0.004 + (stud[1] - eye[1]) * k - 0.012 * math.sin(math.pi * k),
                eye[2] + 0.006 + (stud[2] - eye[2]) * k,
            )
            for k in t
        ]
        things.append(stage.tube(line, 0.0062, rope, resolution=5))
        path = [(side * (0.070 + 0.125 * k), 1.025 - 0.07 * k) for k in t]
        side_line = [tuple(p) for p in garment.smoothed(garment.along_surface(surface, path, 0.006), 6)]
        side_line[0] = (side * 0.068, -0.186, 1.028)
        x, y, z = side_line[-1]
        side_line += [(x + side * 0.01 * k, y + 0.10 * k, z - 0.01 * k) for k in np.linspace(0.1, 1, 10)]
        things.append(stage.tube(side_line, 0.0062, rope, resolution=5))
    for dz in (-0.02, 0.015):
        bar = [(x0, -0.1955, 1.045 + dz) for x0 in np.linspace(-0.045, 0.045, 12)]
        things.append(stage.tube(bar, 0.0028, lead))
    return things
