"""Royal robes: crimson velvet, an ermine cape, a pleated ruff edged with gold thread, brocade and a chain."""

import math

import numpy as np

import garment
from develop import Grade
from figure import on_canvas, portrait_camera

RIM = 1.418
OPENING = 0.092

COSTUME = {
    'title': 'Royal robes',
    'tags': (
        'royal, king, queen, prince, princess, monarch, majesty, royalty, regal, emperor, empress, crown, throne, '
        'coronation, ermine, renaissance, nobleman, duke, duchess'
    ).split(', '),
    'opening': {
        'left': on_canvas(-OPENING, 0, RIM)[0],
        'right': on_canvas(OPENING, 0, RIM)[0],
        'rim': on_canvas(0, -0.09, RIM)[1],
    },
    'light': {
        'key': 0.22,
        'direction': [-0.5, 0.6, 0.62],
        'color': [1.0, 0.86, 0.68],
        'fill': [0.55, 0.58, 0.72],
    },
    'scenes': ['great-hall', 'ballroom', 'castle-terrace'],
}
CAMERA = portrait_camera()
SAMPLES, SHARE = 12, 0.75
TRACE = {'bounces': 5, 'clamp': 4.0}
GRADE = Grade(exposure=0.2, contrast=1.28, saturation=1.05)


def build(stage):
    stage.clear(31)
    velvet = garment.cloth(stage, (0.200, 0.006, 0.012), 900, 0.0006, 0.6, 0.75, 1.0)
    gold = garment.metal(stage, (0.78, 0.53, 0.18), 0.2, 0.25)
    robe, nape, surface = _robe(stage, velvet)
    front, back = [robe], [nape]
    front.append(_doublet(stage, surface))
    before, behind = _ruff(stage, gold)
    front += before
    back += behind
    before, behind = _cape(stage)
    front += before
    back += behind
    front += _facings(stage, surface) + _chain(stage, gold)
    linen = garment.cloth(stage, (0.80, 0.78, 0.74), 700, 0.0006, 0.92, 0.8, 0.3)
    liner = [garment.knitted_collar(stage, linen, 1.429, 1.37, (0.094, 0.078), 0.86, 120, 0.0010)]
    garment.studio(
        stage,
        78,
        (1, 0.86, 0.68),
        8,
        (0.72, 0.8, 1.0),
        ((42, (1, 0.74, 0.48)), (58, (0.66, 0.78, 1.0))),
        strength=0.32,
    )
    return {'back': back, 'liner': liner, 'front': front}


def _robe(stage, velvet):
    from solid import Volume, joined

    space = Volume((-0.48, -0.28, 0.72), (0.48, 0.26, 1.46), 0.0042, 31)
    trunk, arms = garment.body(space, 0.016, 1.9, 1.25)
    return garment.sewn(stage, space, joined(trunk, arms, 0.03), velvet, hole=(0.098, 0.085), top=1.43)


def _doublet(stage, surface):
    """Brocade between the facings: gold ogees on dark blue."""

    def woven(nodes):
        x, _, z = garment.places(nodes)
        period = 0.034
        a = nodes.add('ShaderNodeMath', {0: nodes.times(x, math.pi / period)}, operation='COSINE').outputs[0]
        b = nodes.add(
            'ShaderNodeMath', {0: nodes.times(z, math.pi / (period * 1.5))}, operation='COSINE'
        ).outputs[0]
        net = nodes.add('ShaderNodeMath', {0: nodes.sum(a, b)}, operation='ABSOLUTE').outputs[0]
        lattice = nodes.span(net, 0.16, 0.30, 1.0, 0.0)
        bloom = nodes.span(net, 1.35, 1.5)
        gold = nodes.add('ShaderNodeMath', {0: lattice, 1: bloom}, operation='MAXIMUM').outputs[0]
        thread = nodes.noise(600, 2, 0.5)
        return {
            'Base Color': nodes.blend(gold, (0.012, 0.016, 0.060), (0.70, 0.46, 0.15)),
            'Metallic': nodes.times(gold, 0.85),
            'Roughness': nodes.span(gold, 0, 1, 0.75, 0.38),
            'Normal': nodes.bump(nodes.sum(nodes.times(gold, 1.0), nodes.times(thread, 0.8)), 0.5, 0.0016),
        }

    return _panel(stage, surface, lambda z: (-0.066, 0.066), stage.material(shade=woven), 0.009)


def _panel(stage, surface, edges, coat, lift, rows=60, columns=40):
    from scipy.ndimage import gaussian_filter

    z = np.linspace(0.80, 1.345, rows)
    x = np.stack([np.linspace(*edges(height), columns) for height in z])
    y = np.array([[surface(float(a), float(h)) for a in row] for row, h in zip(x, z)])
    y = gaussian_filter(y, (5, 4), mode='nearest') - lift
    return stage.sheet(x, y, np.repeat(z[:, None], columns, 1), coat)


def _ermine(stage):
    def tails(nodes, colour):
        x, _, z = nodes.add('ShaderNodeSeparateXYZ', {0: nodes.position()}).outputs
        flat = nodes.add('ShaderNodeCombineXYZ', {0: x, 1: nodes.times(z, 0.5)}).outputs[0]
        cells = nodes.add(
            'ShaderNodeTexVoronoi',
            {'Vector': flat, 'Scale': 22.0, 'Randomness': 0.6},
            voronoi_dimensions='2D',
        ).outputs['Distance']
        return nodes.blend(nodes.span(cells, 0.11, 0.17, 1.0, 0.0), colour, (0.012, 0.010, 0.010))

    return garment.pelt(stage, (0.97, 0.96, 0.92), (0.88, 0.86, 0.81), tails)


def _cape(stage):
    """Ermine over the shoulders, open at the throat."""
    under, hair = stage.material((0.62, 0.58, 0.52), 0.9), _ermine(stage)
    halves = []
    for spans in (((-math.pi / 2, -0.20), (0.20, math.pi / 2)), ((math.pi / 2, 3 * math.pi / 2),)):
        things = []
        for start, end in spans:
            angle, share = np.meshgrid(np.linspace(start, end, 150), np.linspace(0, 1, 70))
            ahead = np.cos(angle)
            wide = 0.108 + 0.140 * share**0.8
            deep = 0.100 + 0.083 * share**0.7
            drop = (
                0.135 * np.clip(ahead, 0, 1) ** 1.2
                + 0.100 * np.clip(-ahead, 0, 1)
                + 0.060 * (1 - np.abs(ahead))
            )
            z = 1.391 - 0.012 * ahead - drop * share**1.35 + 0.003 * np.sin(angle * 17) * share
            x, y, z = garment.lumpy(wide * np.sin(angle), 0.005 - deep * ahead, z, 3.0, 0.0018, 8)
            leaf = stage.sheet(x[::-1], y[::-1], z[::-1], under)
            count = 6000 if len(spans) == 2 else 5000
            things.append(garment.fur(stage, leaf, 0.016, count, hair, 7, width=0.0013, curl=1.3, children=6))
        halves.append(things)
    return halves


def _facings(stage, surface):
    """Ermine down both edges of the robe."""
    under, hair = stage.material((0.62, 0.58, 0.52), 0.9), _ermine(stage)
    things = []
    for side in (-1, 1):

        def edges(z, side=side):
            inner = 0.046 + 0.030 * (1.30 - z)
            pair = (side * inner, side * (inner + 0.050))
            return min(pair), max(pair)

        leaf = _panel(stage, surface, edges, under, 0.011, 90, 14)
        things.append(
            garment.fur(stage, leaf, 0.014, 4500, hair, 11 + side, width=0.0013, curl=1.3, children=6)
        )
    return things


def _ruff(stage, gold):
    """Starched linen in figures of eight around the neck, higher behind than before."""
    linen = stage.material(
        (0.82, 0.81, 0.78),
        0.75,
        shade=lambda nodes: {'Normal': nodes.bump(nodes.noise(800, 2, 0.5), 0.25, 0.0006)},
        Sheen=0.2,
    )
    pleats = 30
    halves = []
    for start in (-math.pi / 2, math.pi / 2):
        angle, share = np.meshgrid(np.linspace(start, start + math.pi, 1400), np.linspace(0, 1, 36))
        swing = share**0.8
        around = angle - 0.75 / pleats * np.sin(2 * pleats * angle) * swing
        reach = 0.076 + 0.074 * share
        ahead = np.cos(angle)
        z = (
            1.424
            - 0.012 * ahead
            - 0.004 * share * (0.6 + ahead)
            + (0.003 + 0.0125 * swing) * np.sin(pleats * angle)
        )
        x, y = reach * np.sin(around), 0.005 - reach * 0.90 * np.cos(around)
        sheet = garment.solid(stage.sheet(x, y, z, linen), 0.0009)
        edge = stage.tube(list(zip(x[-1], y[-1], z[-1])), 0.0011, gold, resolution=3)
        halves.append([sheet, edge])
    return halves


def _chain(stage, gold):
    """Links and jewelled plates over the shoulders, with a pendant on the breast."""
    ruby = stage.material((0.45, 0.004, 0.012), 0.06, specular=0.8)
    sapphire = stage.material((0.008, 0.02, 0.30), 0.06, specular=0.8)
    turn = np.linspace(-1.29, 1.29, 240)
    line = np.stack(
        [0.224 * np.sin(turn), -0.212 * np.cos(turn) - 0.008, 1.120 + 0.288 * np.abs(turn / 1.5) ** 1.25], -1
    )
    gaps = np.append(0, np.linalg.norm(np.diff(line, axis=0), axis=1).cumsum())
    things = []
    count = 29
    for k in range(count):
        place = gaps[-1] * (k + 0.5) / count
        at = np.array([np.interp(place, gaps, line[:, axis]) for axis in range(3)])
        step = np.array([np.interp(place + 0.004, gaps, line[:, axis]) for axis in range(3)]) - at
        lean = -math.atan2(step[2], step[0])
        if k % 2 == 0:
            plate = [
                (0, 0.004),
                (0.006, 0.0042),
                (0.0095, 0.003),
                (0.0105, 0.0045),
                (0.012, 0.003),
                (0.0125, -0.002),
            ]
            things.append(
                stage.creased(stage.lathe(plate, 32, gold, tuple(at), (math.pi / 2, 0, at[0] * 2)), 30)
            )
            gem = stage.place(
                stage.ball(20, 12),
                (at[0], at[1] - 0.0042, at[2]),
                (0, 0, 0),
                (0.0062, 0.0035, 0.0062),
                sapphire if k % 4 else ruby,
            )
            things.append(gem)
        else:
            c, s = math.cos(lean), math.sin(lean)
            ring = [
                (
                    at[0] + 0.0135 * math.cos(t) * c + 0.0062 * math.sin(t) * s,
                    at[1],
                    at[2] - 0.0135 * math.cos(t) * s + 0.0062 * math.sin(t) * c,
                )
                for t in np.linspace(0, math.tau, 32, endpoint=False)
            ]
            things.append(stage.tube(ring, 0.0022, gold, closed=True))
    centre = (0, -0.222, 1.082)
    u = np.linspace(0, math.tau, 97)
    radius = 0.020 + 0.013 * np.abs(np.cos(4 * u)) ** 1.5
    rings = [(0.0, -0.006), (0.5, -0.005), (0.9, -0.002), (1.0, 0.003)]
    points = np.array(
        [
            [
                (centre[0] + s * r * math.sin(a), centre[1] + y, centre[2] + s * r * math.cos(a))
                for a, r in zip(u, radius)
            ]
            for s, y in rings
        ]
    )
    things.append(stage.creased(stage.sheet(points[..., 0], points[..., 1], points[..., 2], gold), 40))
    things.append(
        stage.place(
            stage.ball(28, 16), (0, centre[1] - 0.007, centre[2]), (0, 0, 0), (0.0105, 0.006, 0.0125), ruby
        )
    )
    for k in range(8):
        a = math.tau * k / 8
        things.append(
            stage.place(
                stage.ball(14, 8),
                (0.026 * math.sin(a), centre[1] - 0.005, centre[2] + 0.026 * math.cos(a)),
                (0, 0, 0),
                (0.0034,) * 3,
                stage.material((0.85, 0.82, 0.76), 0.15),
            )
        )
    return things
