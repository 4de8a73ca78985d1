"""A knight's harness: gorget, breastplate with a keel, pauldrons of overlapping lames, mail sleeves, a red
cloak behind."""

import math

import numpy as np

from develop import Grade
from figure import on_canvas, portrait_camera

RIM_FRONT, RIM_BACK, RIM_X = 1.413, 1.462, 0.100  # heights of the gorget's rim before and behind, its half width
LINED = 0.076  # half width of the arming collar inside of it

COSTUME = {
    'title': 'Knight',
    'tags': 'knight, armour, armor, medieval, warrior, castle, fantasy, hero, paladin, king'.split(', '),
    'opening': {
        'left': on_canvas(-LINED, 0, 1.44)[0],
        'right': on_canvas(LINED, 0, 1.44)[0],
        'rim': on_canvas(0, -LINED, 1.430)[1],
    },
    'light': {
        'key': 0.22,
        'direction': [-0.5, 0.62, 0.6],
        'color': [1.0, 0.8, 0.6],
        'fill': [0.5, 0.55, 0.7],
    },
    'scenes': ['great-hall', 'alpine-lake', 'aurora'],
}
CAMERA = portrait_camera()
SAMPLES = 16
TRACE = {'bounces': 5, 'clamp': 4.0}
GRADE = Grade(exposure=0.1, contrast=1.3, saturation=1.05)


def build(stage):
    stage.clear(17)
    steel, brass = _steel(stage, (0.46, 0.46, 0.47), 0.24), _steel(stage, (0.68, 0.44, 0.16), 0.26)
    mail, leather, cloak = _mail(stage), _leather(stage), _cloth(stage, (0.30, 0.012, 0.016))
    padding = _cloth(stage, (0.035, 0.030, 0.030))
    front, back = [], []
    front += _breastplate(stage, steel, brass)
    for side in (-1, 1):
        front += _pauldron(stage, side, steel, brass)
        front += _sleeve(stage, side, mail)
        front += _strap(stage, side, leather, brass)
    before, behind = _gorget(stage, steel, brass)
    front += before
    back += behind + _cloak(stage, cloak) + _collar_back(stage, mail)
    front += _mantle(stage, mail) + _shirt(stage, mail)
    liner = _neck_padding(stage, padding)
    _lights(stage)
    return {'back': back, 'liner': liner, 'front': front}


def _steel(stage, tone, roughness):
    """Hammered and polished metal: broad dents, fine scratches, dirt in the low places."""

    def shade(nodes):
        dents, stain = nodes.noise(9, 3, 0.5), nodes.noise(11, 7, 0.6)
        scratch = nodes.noise(60, 5, 0.7, nodes.position((1, 1, 0.12)), 0.5)
        cross = nodes.noise(70, 5, 0.7, nodes.position((0.10, 1, 1)), 0.5)
        wear = nodes.sum(nodes.times(scratch, 0.5), nodes.times(cross, 0.5))
        dirty = nodes.span(stain, 0.46, 0.78, 0, 0.5)
        return {
            'Base Color': nodes.blend(dirty, tone, tuple(c * 0.42 for c in tone)),
            'Roughness': nodes.sum(
                nodes.span(wear, 0.35, 0.65, roughness * 0.6, roughness * 1.5), nodes.times(dirty, 0.22)
            ),
            'Normal': nodes.bump(nodes.sum(nodes.times(dents, 1.0), nodes.times(wear, 0.05)), 0.22, 0.012),
        }

    return stage.material(metallic=1.0, shade=shade)


def _mail(stage):
    """A lattice of small rings, nine millimetres apart, as height and tone."""

    def shade(nodes):
        place = nodes.unrolled((115, 115, 115))
        rows = nodes.add(
            'ShaderNodeTexVoronoi',
            {'Vector': place, 'Scale': 1.0, 'Randomness': 0.10},
            voronoi_dimensions='2D',
        )
        off = nodes.add(
            'ShaderNodeMath', {0: rows.outputs['Distance'], 1: 0.36}, operation='SUBTRACT'
        ).outputs[0]
        ridge = nodes.add('ShaderNodeMath', {0: off}, operation='ABSOLUTE').outputs[0]
        height = nodes.span(ridge, 0.0, 0.22, 1, 0)
        return {
            'Base Color': nodes.blend(height, (0.05, 0.05, 0.052), (0.42, 0.42, 0.43)),
            'Roughness': nodes.span(height, 0, 1, 0.6, 0.32),
            'Normal': nodes.bump(height, 0.9, 0.004),
        }

    return stage.material(metallic=0.95, shade=shade)


def _leather(stage):
    def shade(nodes):
        grain, broad = nodes.noise(260, 3, 0.6), nodes.noise(30, 5, 0.6)
        return {
            'Base Color': nodes.blend(broad, (0.10, 0.045, 0.02), (0.045, 0.02, 0.010)),
            'Roughness': nodes.span(broad, 0.3, 0.7, 0.4, 0.62),
            'Normal': nodes.bump(grain, 0.5, 0.0015),
        }

    return stage.material(shade=shade)


def _cloth(stage, dye):
    def shade(nodes):
        weave, fade = nodes.noise(420, 2, 0.5), nodes.noise(8, 5, 0.6)
        return {
            'Base Color': nodes.blend(fade, dye, tuple(c * 0.6 for c in dye)),
            'Normal': nodes.bump(weave, 0.5, 0.0012),
        }

    return stage.material(roughness=0.9, specular=0.15, shade=shade, Sheen=0.5)


def _solid(thing, thickness, bevel=0.0015):
    """Give a sheet the thickness of plate, and its edge a bevel that catches light."""
    shell = thing.modifiers.new('plate', 'SOLIDIFY')
    shell.thickness, shell.offset = thickness, 0
    edge = thing.modifiers.new('bevel', 'BEVEL')
    edge.width, edge.segments, edge.angle_limit = bevel, 2, 0.7
    return thing


def _plate(stage, x, y, z, coat, thickness=0.004):
    return _solid(stage.sheet(x, y, z, coat), thickness)


def _trim(stage, x, y, z, radius, coat, closed=False):
    """A rolled edge along a line of points."""
    return stage.tube(list(zip(x, y, z)), radius, coat, closed)


def _chest(angle, z):
    """The breastplate's surface: angle from the front in radians, height in metres."""
    low, high = 0.86, 1.385
    t = np.clip((z - low) / (high - low), 0, 1)
    wide = 0.168 + 0.052 * np.sin(np.pi * np.clip(t * 0.92 + 0.02, 0, 1)) ** 0.8
    deep = 0.145 + 0.060 * np.sin(np.pi * np.clip(t * 0.86 + 0.04, 0, 1)) ** 0.9
    keel = 0.014 * np.exp(-np.abs(angle) / 0.09) * np.sin(np.pi * np.clip(t, 0.02, 0.98)) ** 0.5
    flute = sum(0.0035 * np.exp(-(((np.abs(angle) - a) / 0.05) ** 2)) for a in (0.42, 0.62, 0.82)) * np.clip(
        (0.72 - t) * 4, 0, 1
    )
    return (wide + keel + flute) * np.sin(angle) * 1.06, -(deep + keel + flute) * np.cos(angle) + 0.01, z


def _neckline(angle):
    """Upper edge of the breastplate: low at the throat, high at the shoulder straps."""
    return (
        1.325
        + 0.045 * np.clip(np.abs(angle) / 0.8, 0, 1) ** 2
        - 0.16 * np.clip((np.abs(angle) - 0.95) / 0.5, 0, 1) ** 1.2
    )


def _breastplate(stage, steel, brass):
    angle = np.linspace(-1.42, 1.42, 181)
    share = np.linspace(0, 1, 140)[:, None]
    top = _neckline(angle)[None]
    z = 0.80 + share * (top - 0.80)
    x, y, z = _chest(np.broadcast_to(angle, z.shape), z)
    things = [_plate(stage, x, y, z, steel)]
    edge = _chest(angle, _neckline(angle))
    things.append(_trim(stage, edge[0], edge[1] - 0.003, edge[2], 0.0075, steel))
    inset = _chest(angle * 0.985, _neckline(angle) - 0.020)
    things.append(_trim(stage, inset[0] * 1.008, inset[1] * 1.012 - 0.001, inset[2], 0.0028, brass))
    rivet = _rivet(stage, brass)
    for a in np.linspace(-1.25, 1.25, 15):
        px, py, pz = (float(v) for v in _chest(np.array(a), _neckline(np.array(a)) - 0.036))
        things.append(
            stage.place(rivet, (px * 1.004, py * 1.004, pz), (math.pi / 2, 0, float(a)), coat=brass)
        )
    return things


def _rivet(stage, coat):
    made = stage.lathe(
        [(0.0, 0.0042), (0.0028, 0.0036), (0.0052, 0.0016), (0.0058, -0.001)], 20, coat, (0, 0, -9)
    )
    return made.data


def _gorget(stage, steel, brass):
    """Three overlapping lames up to a rolled rim; cut into the half before the head and the half behind
    it."""
    before, behind = [], []
    rings = [(1.335, 1.366, 0.184, 0.152), (1.356, 1.392, 0.158, 0.128), (1.380, 1.0, 0.132, RIM_X)]
    for half, store in ((-1, before), (1, behind)):
        angle = np.linspace(-math.pi / 2, math.pi / 2, 97)
        for number, (low, high, r_low, r_high) in enumerate(rings):
            share = np.linspace(0, 1, 24)[:, None]
            last = number == len(rings) - 1
            radius = r_low + (r_high - r_low) * share**0.8 + (0.006 * share**5 if last else 0)
            x = radius * np.sin(angle)[None]
            y = radius * 0.80 * np.cos(angle)[None] * half
            tilt = np.cos(angle)[None] * half
            top = (
                (RIM_FRONT + RIM_BACK) / 2 + (RIM_BACK - RIM_FRONT) / 2 * tilt
                if last
                else high + 0.028 * tilt
            )
            base = low + 0.020 * tilt
            z = base + (top - base) * share
            store.append(_plate(stage, x, y, z, steel, 0.0035))
            store.append(_trim(stage, x[0] * 1.004, y[0] * 1.004, z[0], 0.0030, steel))
            if last:
                store.append(_trim(stage, x[-1], y[-1], z[-1], 0.0070, steel))
                store.append(_trim(stage, x[-5] * 1.016, y[-5] * 1.016, z[-5], 0.0024, brass))
        rivet = _rivet(stage, brass)
        for a in np.linspace(-1.3, 1.3, 9):
            store.append(
                stage.place(
                    rivet,
                    (0.146 * math.sin(a), half * 0.117 * math.cos(a), 1.374 + 0.022 * half * math.cos(a)),
                    (math.pi / 2, 0, half * -a if half < 0 else math.pi + a),
                    coat=brass,
                )
            )
    return before, behind


def _mantle(stage, mail):
    """Mail over the shoulders, seen between gorget, breastplate and pauldrons."""
    angle, share = np.meshgrid(np.linspace(0, math.tau, 161), np.linspace(0, 1, 50))
    radius_x, radius_y = 0.118 + 0.167 * share**0.9, 0.105 + 0.065 * share
    z = 1.366 - 0.099 * share**1.4 + 0.004 * np.sin(angle * 9)
    return [stage.sheet(radius_x * np.sin(angle), -radius_y * np.cos(angle), z, mail)]


def _shirt(stage, mail):
    """Mail under the breastplate, which closes the armpits."""
    angle, share = np.meshgrid(np.linspace(0, math.tau, 161), np.linspace(0, 1, 120))
    radius_x = 0.268 - 0.060 * np.clip(share * 2.2 - 0.25, 0, 1)
    z = 1.300 - 0.52 * share
    return [
        stage.sheet(
            radius_x * np.sin(angle), -0.105 * np.cos(angle) + 0.01, z + 0.002 * np.sin(angle * 11), mail
        )
    ]


def _collar_back(stage, mail):
    """The inside of the collar behind the neck, so that no background shows through."""
    angle, share = np.meshgrid(np.linspace(-1.7, 1.7, 81), np.linspace(0, 1, 20))
    x, y = (RIM_X - 0.004) * np.sin(angle), 0.8 * (RIM_X - 0.004) * np.cos(angle)
    return [
        stage.sheet(
            x, y, 1.33 + (RIM_BACK - 0.004 - 1.33) * share - 0.030 * (1 - np.cos(angle)) * share, mail
        )
    ]


def _pauldron(stage, side, steel, brass):
    """A cap over the shoulder and four lames down the arm, each tucked under the one above."""
    things = []
    centre = np.array([0.226, 0.008, 1.226])
    lames = [
        (-0.62, 0.62, 0.140),
        (0.50, 0.86, 0.143),
        (0.76, 1.10, 0.139),
        (1.00, 1.33, 0.133),
        (1.22, 1.56, 0.127),
    ]
    for number, (start, end, size) in enumerate(lames):
        # `fall` runs from the neck over the point of the shoulder down the arm, `turn` from front to back
        fall, turn = np.meshgrid(np.linspace(start, end, 30), np.linspace(-1.22, 1.22, 90), indexing='ij')
        flare = 1 + 0.05 * ((fall - start) / (end - start)) ** 3
        narrow = np.cos(turn)
        out = np.sin(fall) * narrow
        up = np.cos(fall) * narrow
        x = centre[0] + size * flare * out
        y = centre[1] - size * 1.12 * np.sin(turn) * flare
        z = centre[2] + size * flare * up - 0.030 * np.clip(fall - 0.6, 0, 1) * 2.2
        things.append(_plate(stage, side * x, y, z, steel, 0.004))
        things.append(_trim(stage, side * x[-1], y[-1], z[-1], 0.0045, brass if number in (0, 4) else steel))
        rivet = _rivet(stage, brass)
        for k in (12, 77):
            spot = (side * float(x[22, k]), float(y[22, k]), float(z[22, k]))
            things.append(
                stage.place(rivet, spot, (math.pi / 2, 0, side * 0.5 if k < 45 else math.pi), coat=brass)
            )
    return things


def _sleeve(stage, side, mail):
    angle, share = np.meshgrid(np.linspace(0, math.tau, 97), np.linspace(0, 1, 90))
    fold = 0.003 * np.sin(share * 30 + np.cos(angle) * 2)
    radius = 0.098 - 0.018 * share + fold
    x = side * (0.262 + 0.070 * share) + radius * np.cos(angle)
    return [stage.sheet(x, 0.01 - 0.05 * share + radius * 1.05 * np.sin(angle), 1.26 - 0.50 * share, mail)]


def _strap(stage, side, leather, brass):
    """From the gorget over the shoulder into a buckle on the breastplate."""
    length = np.linspace(0, 1, 40)
    angle = side * (0.70 + 0.02 * length)
    x, y, z = _chest(angle, 1.345 - 0.115 * length)
    lift = 0.006
    outward = np.stack([np.sin(angle), -np.cos(angle)])
    left, right = (
        np.stack(
            [
                x + outward[0] * lift + across * np.cos(angle),
                y + outward[1] * lift + across * np.sin(angle),
                z,
            ]
        )
        for across in (-0.014, 0.014)
    )
    sheet = np.stack([left, right], 1)
    strap = _plate(stage, sheet[0].T, sheet[1].T, sheet[2].T, leather, 0.0035)
    middle = sheet.mean(1)[:, 29]
    ring = [(-0.020, -0.014), (0.020, -0.014), (0.020, 0.014), (-0.020, 0.014)]
    a = angle[29]
    frame = [
        (
            middle[0] + u * math.cos(a) + 0.005 * math.sin(a),
            middle[1] + u * math.sin(a) - 0.005 * math.cos(a),
            middle[2] + v,
        )
        for u, v in ring
    ]
    pin = [
        (middle[0] + 0.006 * math.sin(a), middle[1] - 0.006 * math.cos(a), middle[2] + v)
        for v in (-0.015, 0.016)
    ]
    return [strap, stage.tube(frame, 0.0032, brass, closed=True), stage.tube(pin, 0.0024, brass)]


def _cloak(stage, cloth):
    """Heavy cloth hung from both shoulders, behind everything."""
    across, down = np.meshgrid(np.linspace(-1, 1, 260), np.linspace(0, 1, 150))
    folds = 0.020 * np.sin(across * 21 + 0.6 * np.sin(down * 3)) + 0.010 * np.sin(across * 47 + 1.3)
    x = across * (0.335 + 0.14 * down**0.55)
    y = 0.165 + folds * (0.25 + down) + 0.03 * down
    z = 1.405 - 0.085 * np.abs(across) ** 1.8 - 0.85 * down + 0.012 * np.cos(across * 13) * (1 - down)
    return [stage.sheet(x, y, z, cloth)]


def _neck_padding(stage, cloth):
    """The arming collar: quilted dark cloth that closes the gap between neck and steel."""
    angle, share = np.meshgrid(np.linspace(-1.75, 1.75, 161), np.linspace(0, 1, 40))
    quilt = 0.0035 * np.abs(np.sin(angle * 14)) ** 0.6
    radius = 0.095 - (0.095 - LINED) * share**0.7 + quilt * (1 - share * 0.5)
    top = 1.432 + 0.022 * (1 - np.cos(angle)) * 0.9
    base = 1.370
    roll = 0.006 * np.sin(np.pi * np.clip((share - 0.8) / 0.2, 0, 1))
    x, y = (radius + roll) * np.sin(angle), -(radius + roll) * 0.80 * np.cos(angle)
    return [stage.sheet(x, y, base + (top - base) * share, cloth)]


def _lights(stage):
    """A warm key from the upper left, a cool edge from the right behind, and a dim room for the steel to
    mirror."""

    def room(nodes):
        way = nodes.add('ShaderNodeTexCoord').outputs['Generated']
        patches = nodes.span(nodes.noise(2.6, 3, 0.5, way), 0.52, 0.70)
        up = nodes.add('ShaderNodeSeparateXYZ', {0: way}).outputs[2]
        wall = nodes.blend(nodes.span(up, -0.5, 0.7), (0.05, 0.035, 0.025), (0.12, 0.13, 0.17))
        return nodes.blend(patches, wall, (1.1, 0.70, 0.40))

    stage.sky(strength=0.55, shade=room)
    stage.lamp('AREA', (-1.6, -2.0, 2.7), 62, (1, 0.84, 0.66), 0.9, (0, 0, 1.2))
    stage.lamp('AREA', (-0.2, -3.0, 1.5), 10, (1, 0.9, 0.8), 1.6, (0, 0, 1.1))
    stage.lamp('AREA', (1.7, 1.0, 2.0), 60, (0.62, 0.78, 1), 0.7, (0.1, 0, 1.25))
    stage.lamp('AREA', (-1.7, 1.2, 1.8), 34, (1, 0.7, 0.45), 0.7, (-0.1, 0, 1.25))
    stage.lamp('AREA', (1.7, -1.6, 1.3), 9, (0.7, 0.82, 1), 0.8, (0, 0, 1.15))
