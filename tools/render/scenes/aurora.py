"""Northern lights over a still fjord: curtains of light integrated through the high air, snow peaks, and the
mirror of both."""

import cv2
import numpy as np

from develop import Grade, Lens, blur, lens_blur
from noise import Perlin, smooth, tile
from shot import Shot
from terrain import Relief, View, stars
from waves import Waves, repeat

SCENE = {
    'title': 'Northern lights over a fjord',
    'tags': (
        'aurora, northern lights, night, snow, winter, arctic, mountains, fjord, stars, ice, '
        'norway, iceland, polar'
    ).split(', '),
    'light': {'direction': [0.1, 0.85, 0.52], 'color': [0.5, 1.0, 0.72], 'fill': [0.3, 0.45, 0.75]},
    'grade': {'contrast': 0.16, 'vignette': 0.24},
}
LENS = Lens(focus=4, radius=4, layers=6)
GRADE = Grade(
    exposure=1.0, contrast=1.36, saturation=1.3, bloom=0.08, threshold=0.5, vignette=0.3, grain=0.011
)

EYE = 2.4
LOW, HIGH = 95.0, 290.0  # kilometres of glowing air
GREEN, VIOLET = np.array([0.08, 1.0, 0.36], np.float32), np.array([0.62, 0.10, 0.85], np.float32)


def picture(shot: Shot):
    horizon = {'portrait': 0.66, 'landscape': 0.72, 'square': 0.70}[shot.shape]
    view = View(shot, EYE, 26 if shot.shape == 'landscape' else 28, horizon)
    sky = _sky(view)
    glow = sky[: view.horizon_row].reshape(-1, 3).mean(0)
    points = view.ground(250, 9000, 900)
    height = _mountains(*points)
    peaks = Relief(view, *points, height)
    mirrored = Relief(view, *points, height, mirrored=True)
    light = _snow_light(peaks, glow)
    air = (1 - np.exp(-points[1] / 7000))[..., None] * 0.75
    haze = np.array([0.010, 0.030, 0.042], np.float32) + glow * 0.12
    light = light * (1 - air) + haze * air
    scene = np.where(peaks.seen[..., None], peaks.on_screen(light), sky)
    scene = _edge_softened(scene, peaks.seen, sky, shot)
    upside = np.where(mirrored.seen[..., None], mirrored.on_screen(light), _mirror(sky, view))
    scene, depth = _fjord(view, scene, upside, peaks)
    scene, shot.depth = _near_snow(view, scene, depth, glow)
    linear = lens_blur(scene.astype(np.float32), np.minimum(shot.depth, 9e4), LENS)
    sharp_stars = (
        stars(view, 1500, 5) * (~peaks.seen & (np.arange(shot.height) < view.horizon_row)[:, None])[..., None]
    )
    return linear + blur(sharp_stars, 1.5 * shot.scale) * 11


def _mountains(x, y):
    noise = Perlin(31)
    valley = np.abs(x - 120 * np.sin(y / 700) + 40)
    sides = smooth(260 + y * 0.05, 1500 + y * 0.15, valley)
    back = smooth(1700, 3600, y)
    body = np.clip(sides * 1.15 + back * 0.9, 0, 1.3)
    rock = noise.ridges(x / 1500 + 7.3, y / 1500 + 2.2, 9, 0.47)
    return -12 + body * (60 + rock * 560) + noise.cloud(x / 120, y / 120, 6) * 34 * np.clip(body * 4, 0, 1)


def _snow_light(peaks, glow):
    """Moonlight from behind the viewer's left and the sky's own green on snow, bare rock where it is
    steep."""
    noise = Perlin(77)
    normal = peaks.normals()
    moon = np.array([-0.55, -0.45, 0.70], np.float32)
    broken = noise.cloud(peaks.x / 45, peaks.y / 45, 5)
    snow = smooth(0.40, 0.62, normal[..., 2] + broken * 0.36)[..., None]
    albedo = snow * np.array([0.80, 0.85, 0.92]) + (1 - snow) * np.array([0.075, 0.075, 0.085])
    direct = np.clip(normal @ moon, 0, 1)[..., None] * np.array([0.62, 0.78, 1.0]) * 0.16
    ambient = (0.4 + 0.6 * normal[..., 2:]) * (glow * 0.38 + np.array([0.006, 0.012, 0.024]))
    return (albedo * (direct + ambient)).astype(np.float32)


def _sky(view):
    """Sum the curtains through 128 levels of the glowing air, at half size, then smooth away the sampling."""
    height, width = view.shot.height, view.shot.width
    rows = np.linspace(0, height - 1, height // 2).astype(int)
    columns = np.linspace(0, width - 1, width // 2).astype(int)
    u, v = np.meshgrid(view.across[columns], np.maximum(view.above[rows], 0.004))
    bands, drift, rays, presence = (
        tile(1024, 106, 2.4, 0.2, 40),
        tile(512, 102, 2.2, 0.2, 20),
        tile(2048, 103, 0.9, 0.02, 500),
        tile(512, 109, 2.5, 0.3, 10),
    )
    jitter = np.random.default_rng(0).random(u.shape).astype(np.float32)
    total = np.zeros((*u.shape, 3), np.float32)
    levels = 128
    for level in range(levels):
        share = (level + jitter) / levels
        up = (LOW + share * (HIGH - LOW)) / (v * 1.0 + 0.06)
        x, y = u * up / 1000, up / 1000
        wx = x + 0.05 * repeat(drift, x * 0.9, y * 0.9)
        wy = y + 0.05 * repeat(drift, x * 0.9 + 0.37, y * 0.9 + 0.11)
        fold = repeat(bands, wx * 0.85 + 0.13, wy * 0.36 + 0.52)
        curtain = np.exp(-((fold / 0.11) ** 2)) * np.clip(
            repeat(presence, x * 0.6 + 0.2, y * 0.5) * 0.7 + 0.5, 0, 1.6
        )
        fine = np.clip(0.55 + 0.34 * repeat(rays, wx * 0.5, wy * 0.5), 0.1, 2)
        foot = np.where(share < 0.05, np.exp(-(((share - 0.05) / 0.03) ** 2)), np.exp(-(share - 0.05) / 0.22))
        colour = GREEN * np.exp(-share * 2.4)[..., None] + VIOLET * (share**1.2 * 1.1)[..., None]
        total += (curtain * fine * foot * np.exp(-0.06 / (v + 0.06)))[..., None] * colour * (22.0 / levels)
    total = cv2.GaussianBlur(total, (0, 0), sigmaX=1.4, sigmaY=3.2)
    total = cv2.resize(total, (width, height), interpolation=cv2.INTER_CUBIC).clip(0)
    low = np.clip(view.above, 0, 1)[:, None, None]
    dusk = (
        np.array([0.012, 0.026, 0.055]) * np.exp(-low * 2.2)
        + np.array([0.003, 0.006, 0.020])
        + np.array([0.010, 0.034, 0.026]) * np.exp(-low * 9)
    )
    return (total + dusk).astype(np.float32)


def _edge_softened(scene, seen, sky, shot):
    cover = blur(seen.astype(np.float32), 0.8 * shot.scale)[..., None]
    return np.where(seen[..., None], scene * cover + sky * (1 - cover), scene)


def _mirror(sky, view):
    rows = np.clip(2 * view.horizon_row - np.arange(view.shot.height), 0, view.shot.height - 1)
    return sky[rows]


def _fjord(view, scene, upside, peaks):
    """Dark still water: the mirrored world, shaken by small waves and weaker where one looks down into it."""
    shot = view.shot
    distance = view.water(9e4)
    wet = (view.above < 0)[:, None] & (distance < peaks.distance)
    waves = Waves(26.0, 2.0, 8, shortest=0.1).steepness(0.05)
    x = distance * view.across[None, :]
    shake = waves.at(waves.slope_y, x, distance) * np.clip(14 / distance, 0.02, 1)
    sway = waves.at(waves.slope_x, x, distance) * np.clip(14 / distance, 0.02, 1)
    columns, rows = np.meshgrid(
        np.arange(shot.width, dtype=np.float32), np.arange(shot.height, dtype=np.float32)
    )
    reach = shot.height * 0.9
    moved = cv2.remap(
        upside.astype(np.float32),
        columns + sway * reach * 0.35,
        rows + shake * reach,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    tall = cv2.GaussianBlur(moved, (0, 0), sigmaX=1.2 * shot.scale, sigmaY=9 * shot.scale)
    facing = np.clip(-view.above, 0, 1)[:, None]
    mirror = (0.10 + 0.9 * (1 - facing) ** 5)[..., None]
    water = tall * mirror + np.array([0.0015, 0.005, 0.008])
    return np.where(wet[..., None], water, scene), np.where(wet, distance * 2.5, peaks.distance)


def _near_snow(view, scene, depth, glow):
    """A snowy shore in front, higher at both sides, so that the water opens behind the people."""
    noise = Perlin(9)
    points = view.ground(1.3, 60, 900)
    x, y = points
    edge = (
        (13 if view.shot.shape == 'landscape' else 7.5)
        + 1.1 * noise.cloud(x / 6, y * 0 + 3.3, 4)
        + np.abs(x) ** 1.6 * 0.10
    )
    drifts = 0.75 * noise.cloud(x / 4 + 2, y / 2.6, 4) + 0.06 * noise.cloud(x / 0.5, y / 0.35, 4)
    height = (
        np.where(y < edge, 0.55, 0) * smooth(0, 2.4, edge - y)
        + drifts * smooth(0, 2.5, edge - y)
        + smooth(0.0, 1.0, y - edge) * -0.6
        + 0.02
    )
    height = height + np.clip(np.abs(x) - 2.5, 0, 20) ** 1.5 * 0.06 * smooth(0, 3, edge - y)
    bank = Relief(view, x, y, height)
    normal = bank.normals()
    moon = np.array([-0.78, -0.25, 0.45], np.float32)
    grains = 1 + 0.12 * noise.cloud(x * 14, y * 14, 3)
    lit = np.clip(normal @ moon, 0, 1)[..., None] * np.array([0.62, 0.80, 1.0]) * 0.25
    lit = (
        (lit + (0.5 + 0.5 * normal[..., 2:]) * (glow * 0.5 + np.array([0.010, 0.018, 0.034])))
        * grains[..., None]
        * 0.86
    )
    over = bank.seen & (bank.on_screen(height) > 0.0) & (bank.distance < 58)
    cover = blur(over.astype(np.float32), 1.0 * view.shot.scale)[..., None]
    return scene * (1 - cover) + bank.on_screen(lit.astype(np.float32)) * cover, np.where(
        over, bank.distance, depth
    )
