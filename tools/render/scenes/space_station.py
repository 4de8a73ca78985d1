"""A module of a space station: white panels, strips of light, and the Earth beyond a great round window."""

import math

import cv2
import numpy as np

from camera import Camera
from develop import Grade, Lens, blur, lens_blur
from noise import smooth, tile
from shot import Shot
from waves import repeat

SCENE = {
    'title': 'Aboard a space station',
    'tags': (
        'space, station, astronaut, spaceship, orbit, earth, sci-fi, science, future, rocket, '
        'cosmonaut, nasa, planet'
    ).split(', '),
    'light': {'direction': [0.0, 0.75, 0.66], 'color': [0.92, 0.97, 1.0], 'fill': [0.62, 0.72, 0.9]},
    'grade': {'contrast': 0.16, 'vignette': 0.22},
}
SAMPLES = 14
TRACE = {'bounces': 4, 'clamp': 3.0}
LENS = Lens(focus=2.6, radius=9, sparkle=0.1, layers=10)
GRADE = Grade(exposure=0.35, contrast=1.36, saturation=1.12, bloom=0.05, vignette=0.32, grain=0.009)

WIDE, TALL, MIDDLE = 2.05, 1.72, 1.52  # half width, half height and centre of the module's cross-section
END, WINDOW = 5.2, 1.30
FAR = 50.0  # metres; what is further lies outside


def camera(shape):
    if shape == 'landscape':
        return Camera(eye=(0, -2.1, 1.55), target=(0, 5, 1.62), lens=27)
    return Camera(eye=(0, -2.2, 1.55), target=(0, 5, 1.72), lens=29)


def _section(scale, count=64):
    """The module's rounded cross-section as (x, z) pairs."""
    points = []
    for k in range(count):
        angle = math.tau * k / count
        c, s = math.cos(angle), math.sin(angle)
        points.append(
            (
                scale * WIDE * math.copysign(abs(c) ** 0.62, c),
                MIDDLE + scale * TALL * math.copysign(abs(s) ** 0.62, s),
            )
        )
    return points


def _loft(stage, rings, coat):
    """A surface through closed outlines of equal length: (y, outline) pairs."""
    count = len(rings[0][1])
    vertices = [(x, y, z) for y, outline in rings for x, z in outline]
    faces = [
        (i * count + j, i * count + (j + 1) % count, (i + 1) * count + (j + 1) % count, (i + 1) * count + j)
        for i in range(len(rings) - 1)
        for j in range(count)
    ]
    return stage.creased(stage.place(stage.mesh(vertices, faces, smooth=True), coat=coat))


def _circle(radius, count=64):
    return [
        (radius * math.cos(math.tau * k / count), MIDDLE + 0.1 + radius * math.sin(math.tau * k / count))
        for k in range(count)
    ]


def build(stage, shape):
    chance = stage.clear(3)
    white, grey, dark = (
        _paint(stage, (0.62, 0.63, 0.65), 0.36),
        _paint(stage, (0.24, 0.25, 0.27), 0.42),
        _paint(stage, (0.045, 0.047, 0.053), 0.38),
    )
    steel = stage.material((0.5, 0.5, 0.52), 0.28, 1.0)
    _loft(
        stage, [(-4, _section(1.06)), (END + 0.2, _section(1.06))], stage.material((0.03, 0.03, 0.034), 0.85)
    )
    _wall_panels(stage, chance, white, grey, dark)
    _ribs(stage, grey)
    _window_wall(stage, white, grey, dark, steel)
    _floor(stage, dark, grey)
    for side in (-1, 1):
        stage.box((side * 1.18, 0.9, 3.0), (0.10, 8.2, 0.05), stage.glowing((0.84, 0.93, 1), 5))
        stage.tube(
            [(side * 1.80, -3 + k * 0.4, 1.12) for k in range(21)],
            0.02,
            stage.material((0.70, 0.42, 0.05), 0.35),
        )
        stage.lamp('AREA', (side * 1.1, 1.0, 2.9), 34, (0.86, 0.94, 1), 7, (side * 0.3, 1.0, 0), height=0.3)
    stage.lamp('AREA', (0, -3.2, 2.4), 26, (1, 0.95, 0.9), 2.0, (0, 4, 1.5))
    stage.lamp('AREA', (0.4, END + 1.5, 1.0), 130, (0.42, 0.64, 1), 2.6, (0, 0, 1.6))
    stage.sky((0, 0, 0))


def _paint(stage, tone, roughness):
    def shade(nodes):
        wear, grain = nodes.noise(5, 6, 0.6), nodes.noise(45, 3, 0.5)
        worn = nodes.blend(nodes.span(wear, 0.45, 0.75, 0, 0.35), tone, tuple(c * 0.72 for c in tone))
        return {
            'Base Color': nodes.blend(nodes.times(nodes.chance(), 0.3), worn, tuple(c * 0.8 for c in tone)),
            'Roughness': nodes.span(wear, 0.3, 0.7, roughness * 0.8, roughness * 1.3),
            'Normal': nodes.bump(grain, 0.05, 0.004),
        }

    return stage.material(shade=shade)


def _wall_panels(stage, chance, white, grey, dark):
    """Panels tangent to the cross-section, bay by bay, each with its own fittings."""
    outline = _section(1.0, 240)
    gaps = [(0, 22), (22, 44), (44, 76), (76, 104), (104, 128), (128, 152), (168, 192), (212, 240)]
    for bay in range(-3, 6):
        y0 = bay * 0.92
        for first, last in gaps:
            a, b = outline[first], outline[last % 240]
            span = math.hypot(b[0] - a[0], b[1] - a[1])
            middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
            turn = math.atan2(b[1] - a[1], b[0] - a[0])
            split = chance.choice([1, 1, 2])
            for part in range(split):
                length = 0.80 / split
                y = y0 + 0.46 + (part - (split - 1) / 2) * length
                coat = chance.choice([white, white, white, white, grey])
                stage.box(
                    (middle[0], y, middle[1]),
                    (span - 0.05, length - 0.03, 0.07),
                    coat,
                    (0, -turn, 0),
                    bevel=0.018,
                    segments=3,
                )
                _fitting(stage, chance, middle, y, turn, span, length, dark)


def _fitting(stage, chance, middle, y, turn, span, length, dark):
    inward = (-math.sin(turn), math.cos(turn))
    towards = (MIDDLE - middle[1]) * inward[1] - middle[0] * inward[0]
    sign = 1 if towards > 0 else -1

    def at(along, out, dy=0.0):
        return (
            middle[0] + math.cos(turn) * along + inward[0] * sign * out,
            y + dy,
            middle[1] + math.sin(turn) * along + inward[1] * sign * out,
        )

    kind = chance.random()
    if kind < 0.20:
        for k in range(5):
            stage.box(
                at((k - 2) * span * 0.14, 0.04), (span * 0.07, length * 0.6, 0.012), dark, (0, -turn, 0)
            )
    elif kind < 0.32:
        stage.box(at(0, 0.042), (span * 0.55, length * 0.55, 0.02), dark, (0, -turn, 0), bevel=0.01)
        tint = chance.choice([(0.10, 0.42, 0.75), (0.12, 0.55, 0.55)])
        stage.box(at(0, 0.054), (span * 0.48, length * 0.46, 0.006), stage.glowing(tint, 0.16), (0, -turn, 0))
        for k in range(5):
            reach = chance.uniform(0.10, 0.36)
            shift = (k - 2) * length * 0.08
            bar = (span * reach, length * 0.03, 0.006)
            stage.box(
                at((reach - 0.36) * span * 0.5, 0.059, shift), bar, stage.glowing(tint, 1.1), (0, -turn, 0)
            )
    elif kind < 0.55:
        for k in range(chance.randint(2, 4)):
            colour = chance.choice([(0.3, 1, 0.6), (1, 0.6, 0.2), (0.4, 0.7, 1), (1, 1, 1)])
            stage.box(
                at((k - 1.5) * 0.07, 0.042, -length * 0.3),
                (0.03, 0.018, 0.012),
                stage.glowing(colour, 3),
                (0, -turn, 0),
            )
    else:
        for k in (-1, 1):
            for end in (-1, 1):
                stage.box(
                    at(k * span * 0.4, 0.036, end * length * 0.38), (0.022, 0.022, 0.012), dark, (0, -turn, 0)
                )


def _ribs(stage, grey):
    for bay in range(-3, 7):
        y = bay * 0.92
        if y > END - 0.1:
            continue
        rings = [(-0.06, 1.05), (-0.06, 0.975), (-0.045, 0.955), (0.045, 0.955), (0.06, 0.975), (0.06, 1.05)]
        _loft(stage, [(y + dy, _section(scale)) for dy, scale in rings], grey)


def _window_wall(stage, white, grey, dark, steel):
    _loft(stage, [(END, _section(1.06)), (END, _circle(WINDOW + 0.42))], white)
    bezel = [
        (0.0, 0.42),
        (-0.10, 0.40),
        (-0.12, 0.36),
        (-0.12, 0.20),
        (-0.10, 0.17),
        (0.06, 0.10),
        (0.10, 0.05),
        (0.28, 0.0),
        (0.55, -0.01),
    ]
    _loft(stage, [(END + dy, _circle(WINDOW + dr)) for dy, dr in bezel], grey)
    _loft(
        stage,
        [(END + dy, _circle(WINDOW + dr)) for dy, dr in ((0.05, 0.11), (0.0, 0.075), (0.07, 0.045))],
        dark,
    )
    _loft(
        stage,
        [(END - 0.101, _circle(WINDOW + 0.455)), (END - 0.101, _circle(WINDOW + 0.43))],
        stage.glowing((0.6, 0.82, 1), 6),
    )
    bolt = stage.lathe([(0, 0.02), (0.026, 0.02), (0.03, 0.012), (0.03, 0)], 12, steel, (0, 0, -90)).data
    for x, z in _circle(WINDOW + 0.28, 40):
        stage.place(bolt, (x, END - 0.12, z), (math.pi / 2, 0, 0))


def _floor(stage, dark, grey):
    for bay in range(-4, 6):
        stage.box((0, bay * 0.92 + 0.46, 0.10), (1.9, 0.88, 0.06), dark, bevel=0.015)
    for side in (-1, 1):
        stage.box((side * 1.0, 1, 0.12), (0.05, 9, 0.05), grey, bevel=0.01)


def picture(shot: Shot):
    outside = shot.depth > FAR
    cover = blur(outside.astype(np.float32), 0.9 * shot.scale)[..., None]
    linear = shot.colour * (1 - cover) + _orbit(shot) * cover
    return lens_blur(linear.astype(np.float32), np.minimum(shot.depth, 200), LENS)


def _orbit(shot):
    """The Earth from orbit by one ray per pixel: sea, land, two layers of cloud with shadows, and the air's
    blue rim."""
    rays = camera(shot.shape).rays(shot.width, shot.height)
    rays = rays / np.linalg.norm(rays, axis=-1, keepdims=True)
    centre, radius = np.array([0.30, 1.30, -0.92]), 1.0
    sun = np.array([-0.62, -0.30, 0.72])
    near = rays @ centre
    closest = np.sqrt(np.maximum((centre**2).sum() - near**2, 0))
    inside = np.sqrt(np.maximum(radius**2 - closest**2, 0))
    normal = rays * (near - inside)[..., None] - centre
    hit = (closest < radius) & (near > 0)
    lit = np.clip(normal @ sun * 1.25, 0, 1)
    ground = _surface(normal, centre, lit)
    depth_of_air = np.clip(1 - inside / 0.75, 0, 1) ** 2.2
    air = np.array([0.16, 0.42, 1.0]) * (0.06 + lit)[..., None]
    earth = ground * (1 - 0.75 * depth_of_air[..., None]) + air * 0.62 * depth_of_air[..., None]
    height = np.maximum(closest - radius, 0)
    glow = np.exp(-height / 0.010) * 0.9 + np.exp(-height / 0.035) * 0.18
    toward = np.clip(
        (rays * near[..., None] - centre) / np.maximum(closest, 1e-6)[..., None] @ sun * 1.2 + 0.2, 0, 1
    )
    space = (glow * toward * (near > 0))[..., None] * np.array([0.22, 0.52, 1.15]) + _stars(shot)
    edge = np.clip((radius - closest) * shot.scale * 900, 0, 1)[..., None] * hit[..., None]
    return (earth * edge + space * (1 - edge)).astype(np.float32)


def _surface(normal, centre, lit):
    facing = -centre / np.linalg.norm(centre)
    right = np.cross(facing, [0, 0, 1])
    right /= np.linalg.norm(right)
    up = np.cross(right, facing)
    fold = 1 + normal @ facing
    u, v = (normal @ right) / fold + 0.31, (normal @ up) / fold + 0.57
    broad, fine = tile(1024, 61, 1.9, 0.2, 300), tile(2048, 62, 1.45, 0.1, 700)
    swirl_u, swirl_v = (
        u + 0.035 * repeat(broad, u * 1.1, v * 1.1),
        v + 0.035 * repeat(broad, u * 1.1 + 0.4, v * 1.1 + 0.7),
    )
    land = smooth(0.25, 0.45, repeat(broad, u * 0.45, v * 0.45) + 0.25 * repeat(fine, u * 0.9, v * 0.9))[
        ..., None
    ]
    relief = repeat(fine, u * 1.3 + 0.2, v * 1.3)[..., None]
    soil = np.array([0.16, 0.12, 0.065]) * (1 + 0.3 * relief) * 0.9 + np.array([0.0, 0.02, 0.0]) * (
        relief < 0
    )
    sea = np.array([0.006, 0.030, 0.085]) * (1 + 0.15 * relief)
    decks = (
        0.75 * repeat(fine, swirl_u * 0.55, swirl_v * 0.75)
        + 0.5 * repeat(fine, swirl_u * 1.7, swirl_v * 1.7 + 0.3)
        + 0.5 * repeat(broad, u * 0.8, v * 0.8)
    )
    cloud = smooth(0.2, 1.7, decks)[..., None] * 0.95
    shade = smooth(0.2, 1.7, np.roll(decks, (3, 3), (0, 1)))[..., None]
    base = (sea * (1 - land) + soil * land) * (1 - 0.45 * shade)
    colour = base * (1 - cloud) + np.array([0.82, 0.85, 0.90]) * cloud * (0.85 + 0.15 * (cloud - shade))
    return colour.clip(0) * (0.003 + 1.25 * lit[..., None])


def _stars(shot):
    chance = np.random.default_rng(5)
    field = np.zeros((shot.height, shot.width), np.float32)
    count = int(1500 * shot.width * shot.height / 2_160_000)
    np.add.at(
        field,
        (chance.integers(0, shot.height, count), chance.integers(0, shot.width, count)),
        np.minimum(chance.pareto(1.5, count) * 0.2 + 0.03, 4),
    )
    return cv2.GaussianBlur(field, (0, 0), 1.1 * shot.scale)[..., None] * 4 * np.array([0.9, 0.95, 1.1])
