"""Clear blue water over a sandy channel between reefs: the wave-broken sun from above, marched through the
water."""

import cv2
import numpy as np

from camera import Camera
from develop import Grade, Lens, blur, disc, enlarge, enlarge_depth, lens_blur, to_srgb
from noise import Perlin, smooth
from shot import Shot
from waves import Waves, repeat

SCENE = {
    'title': 'Under the sea',
    'tags': (
        'underwater, sea, ocean, diving, reef, mermaid, blue, water, snorkel, atlantis, deep, '
        'swimming, bubbles'
    ).split(', '),
    'light': {'direction': [0.2, 0.93, 0.31], 'color': [0.55, 0.95, 1.0], 'fill': [0.1, 0.5, 0.75]},
    'haze': {'color': [0.02, 0.2, 0.32], 'amount': 0.16},
    'grade': {'contrast': 0.14, 'vignette': 0.22},
}
LENS = Lens(focus=2.6, radius=6, layers=8)
GRADE = Grade(
    exposure=0.0, contrast=1.42, saturation=1.06, bloom=0.08, threshold=0.6, vignette=0.3, grain=0.009
)

SURFACE, FLOOR, BEYOND = 7.0, -2.2, 60.0  # metres above, below and before the lens
ABSORB = np.array([0.36, 0.070, 0.046], np.float32)  # per metre, clear tropical water
SUN = np.array([0.16, 0.42, 1.0]) / np.linalg.norm([0.16, 0.42, 1.0])
SUNLIGHT = np.array([1.0, 0.97, 0.9], np.float32)


def camera(shape):
    target = {'portrait': (0, 10, 2.3), 'landscape': (0, 10, 2.1), 'square': (0, 10, 2.0)}[shape]
    return Camera(eye=(0, 0, 0), target=target, lens=22 if shape == 'landscape' else 25)


def picture(shot: Shot):
    half = Shot(shot.shape, shot.width // 2, shot.height // 2)
    sea = _Sea()
    rays = camera(shot.shape).rays(half.width, half.height)
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    distance, light = sea.bottom(rays)
    up = rays[..., 2] > 0.02
    to_surface = SURFACE / np.maximum(rays[..., 2], 0.02)
    above = up & (to_surface < distance)
    light = np.where(above[..., None], sea.surface(rays, to_surface), light)
    distance = np.where(above, to_surface, distance)
    seen = light * np.exp(-ABSORB * distance[..., None]) + sea.water(rays, distance)
    shot.depth = enlarge_depth(np.minimum(distance, BEYOND), shot.width, shot.height)
    linear = enlarge(seen.clip(0).astype(np.float32), shot.width, shot.height)
    return lens_blur(linear, shot.depth, LENS) + _snow(shot, 8, ((700, 1, 2.2, 0.05), (130, 3, 7, 0.03)))[
        ..., None
    ] * np.array([0.5, 1, 1])


class _Sea:
    def __init__(self):
        self.ripples = Waves(9.0, 2.2, 3, shortest=0.03).steepness(0.22)
        self.swell = Waves(60.0, 5.0, 4).steepness(0.10)
        self.sun_net = self.ripples.caustics(2.6)
        padded = np.pad(self.ripples.caustics(2.2), 64, mode='wrap')
        self.shafts = blur(padded, 9)[64:-64, 64:-64]
        self.noise = Perlin(21)
        self.relief = Perlin(5)

    def ground(self, x, y):
        """Height of the bottom: sand in the middle, reef rising at both sides and behind."""
        wander = 0.9 * np.sin(y * 0.22) + 0.5 * np.sin(y * 0.53 + 1)
        aside = np.abs(x - wander)
        reef = smooth(1.6, 6.5, aside + 0.9 * self.relief.cloud(x * 0.45, y * 0.45, 3))
        reef = reef + 0.8 * smooth(13, 24, y)
        rock = sum(np.abs(self.relief.at(x * f + 3, y * f + f)) / f for f in (0.42, 0.95, 2.3)) * 0.8
        return FLOOR + reef * (0.7 + 1.7 * rock) + 0.05 * self.relief.cloud(x * 0.5, y * 0.5, 3)

    def bottom(self, rays):
        """How far every ray runs to the bottom, and the light there; BEYOND where it meets none."""
        flat = rays.reshape(-1, 3)
        distance = self._march(flat)
        light = np.zeros_like(flat)
        hit = distance < BEYOND
        light[hit] = self._lit(flat[hit] * distance[hit][:, None])
        return distance.reshape(rays.shape[:2]), light.reshape(rays.shape)

    def _march(self, rays):
        """Step by the height above the bottom until below it, then halve the last step."""

        def clearance(chosen, distance):
            spot = rays[chosen] * distance[:, None]
            return spot[:, 2] - self.ground(spot[:, 0], spot[:, 1])

        near, far = np.full(len(rays), 1.2, np.float32), np.full(len(rays), BEYOND, np.float32)
        walking, at = np.arange(len(rays)), near.copy()
        for _ in range(110):
            clear = clearance(walking, at[walking])
            under = walking[clear < 0]
            far[under] = at[under]
            walking, clear = walking[clear >= 0], clear[clear >= 0]
            near[walking] = at[walking]
            at[walking] += np.maximum(clear * 0.45, 0.03)
            walking = walking[at[walking] < 40]
        hit = np.flatnonzero(far < BEYOND)
        for _ in range(6):
            middle = (near[hit] + far[hit]) / 2
            under = clearance(hit, middle) < 0
            near[hit], far[hit] = np.where(under, near[hit], middle), np.where(under, middle, far[hit])
        return far

    def _lit(self, spot):
        x, y, z = spot.T
        step = 0.05
        here = self.ground(x, y)
        slope_x, slope_y = (self.ground(x + step, y) - here) / step, (self.ground(x, y + step) - here) / step
        normal = np.stack([-slope_x, -slope_y, np.ones_like(x)], -1)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
        sandy = smooth(0.35, 0.1, here - FLOOR)[:, None]
        grain = self.noise.cloud(x * 5, y * 5, 4)[:, None]
        sand = np.array([0.62, 0.56, 0.42]) * (1 + 0.25 * grain)
        patch = smooth(-0.1, 0.25, self.noise.cloud(x * 0.9 + 7, y * 0.9 + z, 4))[:, None]
        rock = (np.array([0.16, 0.15, 0.12]) * (1 - patch) + np.array([0.34, 0.17, 0.16]) * patch) * (
            1 + 0.8 * grain
        )
        albedo = sandy * sand + (1 - sandy) * rock
        net = self._sun_at(self.sun_net, x, y, z) * sandy[:, 0] + self._sun_at(self.shafts, x, y, z) * (
            1 - sandy[:, 0]
        )
        sun = np.clip(normal @ SUN, 0, 1) * (0.35 + 0.65 * net)
        fill = 0.35 + 0.25 * normal[:, 2]
        fall = np.exp(-ABSORB * ((SURFACE - z) / SUN[2])[:, None])
        return albedo * fall * (2.1 * sun[:, None] + np.array([0.5, 0.8, 1.0]) * 0.55 * fill[:, None])

    def _sun_at(self, net, x, y, z):
        """The pattern of sunlight at a point: the net at the surface, carried along the sun's direction."""
        rise = (SURFACE - z) / SUN[2]
        return repeat(net, (x + SUN[0] * rise) / 9.0, (y + SUN[1] * rise) / 9.0)

    def surface(self, rays, distance):
        """The water's ceiling: a bright window overhead, and a mirror of the deep beyond the critical
        angle."""
        x, y = rays[..., 0] * distance, rays[..., 1] * distance
        soft = np.clip(6 / np.maximum(distance, 6), 0, 1)
        slope_x = self.ripples.at(self.ripples.slope_x, x, y) * soft + self.swell.at(self.swell.slope_x, x, y)
        slope_y = self.ripples.at(self.ripples.slope_y, x, y) * soft + self.swell.at(self.swell.slope_y, x, y)
        normal = np.stack([slope_x, slope_y, -np.ones_like(x)], -1)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
        cosine = -(rays * normal).sum(-1)
        inside = 1 - 1.33**2 * (1 - cosine**2)
        through = 1.33 * rays + ((1.33 * cosine - np.sqrt(np.maximum(inside, 0))) * 1.0)[..., None] * normal
        through /= np.linalg.norm(through, axis=-1, keepdims=True)
        out_sun = np.array([0.22, 0.56, 0.8]) / np.linalg.norm([0.22, 0.56, 0.8])
        near_sun = np.clip(through @ out_sun, 0, 1)
        air = (
            np.array([0.5, 0.75, 1.0]) * 0.8 + SUNLIGHT * (3.0 * near_sun**24 + 10 * near_sun**200)[..., None]
        )
        mirror = np.array([0.01, 0.10, 0.15], np.float32)
        window = smooth(0.0, 0.22, inside)[..., None]
        return window * air * 1.9 + (1 - window) * mirror

    def water(self, rays, distance):
        """Light scattered towards the lens on the way, brighter in the shafts and towards the sun."""
        steps, reach = 56, 34.0
        length = np.minimum(distance, reach)
        jitter = np.random.default_rng(2).random(distance.shape).astype(np.float32)
        towards = np.clip(rays @ SUN.astype(np.float32), -1, 1)
        phase = (0.25 + 0.9 * np.clip(towards, 0, 1) ** 4 + 2.2 * np.clip(towards, 0, 1) ** 24)[..., None]
        total = np.zeros((*distance.shape, 3), np.float32)
        for k in range(steps):
            t = length * ((k + jitter) / steps) ** 1.4
            width = length * (((k + 1) / steps) ** 1.4 - (k / steps) ** 1.4)
            x, y, z = (rays[..., axis] * t for axis in range(3))
            shaft = np.clip(self._sun_at(self.shafts, x, y, np.minimum(z, SURFACE)), 0, 4)
            beam = 0.35 + 1.3 * np.maximum(shaft - 0.55, 0) ** 1.6 * np.exp(-t / 14)
            fall = np.exp(-ABSORB * (np.maximum(SURFACE - z, 0) / SUN[2] + t)[..., None])
            total += fall * phase * (beam * width)[..., None]
        total = cv2.bilateralFilter(blur(total, 1.2), 7, 0.15, 4)
        return total * np.array([0.034, 0.074, 0.112], np.float32)


def _snow(shot, seed, sizes):
    """Drifting specks, each an out-of-focus disc."""
    chance = np.random.default_rng(seed)
    layer = np.zeros((shot.height, shot.width), np.float32)
    for count, small, large, strength in sizes:
        for _ in range(count):
            spot = disc(chance.uniform(small, large) * shot.scale + 0.3)
            reach = spot.shape[0] // 2
            x, y = chance.integers(reach, shot.width - reach), chance.integers(reach, shot.height - reach)
            layer[y - reach : y + reach + 1, x - reach : x + reach + 1] += (
                spot / spot.max() * strength * chance.uniform(0.2, 1)
            )
    return layer


def front(shot: Shot):
    """Specks and rising bubbles before the people, thick only towards the sides and the bottom."""
    chance = np.random.default_rng(31)
    light = _snow(shot, 12, ((240, 1.5, 3.5, 0.35), (26, 9, 20, 0.10)))
    for _ in range(46):
        side = chance.choice([-1, 1]) * abs(chance.normal(0.40, 0.07))
        x, y = (0.5 + side) * shot.width, chance.uniform(0.25, 1.0) ** 0.7 * shot.height
        _bubble(light, x, y, chance.uniform(3, 13) * shot.scale)
    alpha = light.clip(0, 0.85)
    colour = np.broadcast_to(to_srgb(np.array([0.45, 0.88, 0.95])), (shot.height, shot.width, 3))
    return (np.concatenate([colour, alpha[..., None]], -1) * 255 + 0.5).astype(np.uint8)


def _bubble(layer, x, y, radius):
    """A thin bright rim and one highlight."""
    reach = int(radius * 1.6) + 3
    if not (reach < x < layer.shape[1] - reach and reach < y < layer.shape[0] - reach):
        return
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    away = np.hypot(columns, rows * 1.06) / radius
    rim = np.exp(-(((away - 0.92) / 0.10) ** 2)) * (0.45 + 0.35 * -rows / radius)
    shine = np.exp(-((np.hypot(columns + 0.35 * radius, rows + 0.4 * radius) / (0.18 * radius)) ** 2))
    spot = blur((rim + 0.9 * shine + 0.06 * (away < 0.92)).clip(0, 1), 0.9)
    layer[int(y) - reach : int(y) + reach + 1, int(x) - reach : int(x) + reach + 1] += 0.6 * spot
