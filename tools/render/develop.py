"""From linear light to a finished plate: lens blur by depth, bloom, vignette, film curve, grain."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)
LONG_SIDE = 1800.0  # lengths in pixels below are for this long side


@dataclass(frozen=True)
class Lens:
    focus: float = 3.0  # metres; people stand here, so nothing of the plate needs to be sharp
    radius: float = 8.0  # of the blur disc at infinity
    sparkle: float = 0.0  # extra energy for highlights, so that small lamps make full discs
    layers: int = 12


@dataclass(frozen=True)
class Grade:
    exposure: float = 0.0  # stops
    balance: tuple = (1.0, 1.0, 1.0)
    contrast: float = 1.3
    saturation: float = 1.1
    bloom: float = 0.06
    threshold: float = 0.8
    vignette: float = 0.3
    grain: float = 0.010
    fringe: float = 0.0004


def scaled(pixels, picture):
    return pixels * max(picture.shape[:2]) / LONG_SIDE


def blur(picture, sigma):
    """Gaussian; a wide one is made on a smaller copy, which nobody sees and is ten times faster."""
    picture = picture.astype(np.float32)
    shrink = int(sigma / 8)
    if shrink < 2:
        return cv2.GaussianBlur(picture, (0, 0), max(sigma, 0.1))
    height, width = picture.shape[:2]
    small = cv2.resize(
        picture, (max(width // shrink, 2), max(height // shrink, 2)), interpolation=cv2.INTER_AREA
    )
    return cv2.resize(
        cv2.GaussianBlur(small, (0, 0), sigma / shrink), (width, height), interpolation=cv2.INTER_CUBIC
    )


def enlarge(linear, width, height):
    """Upscale in a compressed space: a lamp of 200 next to a wall of 0.1 would ring in linear light."""
    if linear.shape[:2] == (height, width):
        return linear
    packed = cv2.resize(np.log1p(linear * 8), (width, height), interpolation=cv2.INTER_LANCZOS4)
    return (np.expm1(packed.clip(0)) / 8).astype(np.float32)


def enlarge_depth(depth, width, height):
    inverse = 1 / np.maximum(np.nan_to_num(depth, posinf=1e6), 1e-3)
    return 1 / np.maximum(
        cv2.resize(inverse.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR), 1e-6
    )


def disc(radius):
    """A round aperture's picture of a point, a little brighter at its rim as real lenses draw it."""
    reach = int(math.ceil(radius))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    away = np.hypot(x, y)
    kernel = (radius + 0.5 - away).clip(0, 1) * (0.8 + 0.2 * (away / max(radius, 1)) ** 2)
    return (kernel / kernel.sum()).astype(np.float32)


def lens_blur(linear, depth, lens):
    """Blur by circle of confusion, in layers from far to near, each laid over what is behind it."""
    size = np.abs(1 - lens.focus / np.maximum(depth, 1e-3)) * scaled(lens.radius, linear)
    signed = np.where(depth < lens.focus, -np.minimum(size, scaled(14, linear)), size).astype(np.float32)
    if lens.sparkle:
        bright = linear.max(-1, keepdims=True)
        linear = linear * (1 + lens.sparkle * np.clip(bright - 1.5, 0, 8))
    low, high = float(signed.min()), float(signed.max())
    if high - low < 0.25:
        return cv2.filter2D(linear, -1, disc(max(abs(high), 0.01)), borderType=cv2.BORDER_REPLICATE)
    edges = np.linspace(low, high, lens.layers + 1)
    middles = (edges[1:] + edges[:-1]) / 2
    step = edges[1] - edges[0]
    picture = np.zeros_like(linear)
    covered = np.zeros(linear.shape[:2], np.float32)
    for index in range(lens.layers - 1, -1, -1):
        member = np.clip(1 - np.abs(signed - middles[index]) / step, 0, 1)
        if index == lens.layers - 1:
            member = np.where(signed > middles[index], 1, member)
        if index == 0:
            member = np.where(signed < middles[index], 1, member)
        member = member.astype(np.float32)
        if member.max() <= 0:
            continue
        kernel = disc(max(abs(middles[index]), 0.01))
        alpha = cv2.filter2D(member, -1, kernel, borderType=cv2.BORDER_REPLICATE)
        light = cv2.filter2D(linear * member[..., None], -1, kernel, borderType=cv2.BORDER_REPLICATE)
        picture = picture * (1 - alpha[..., None]) + light
        covered = covered * (1 - alpha) + alpha
    return (picture / np.maximum(covered, 1e-3)[..., None]).clip(0)


def hazed(linear, depth, reach, amount, colour):
    """Air between the lens and what it sees, thicker with distance."""
    air = (1 - np.exp(-np.minimum(depth, 40 * reach) / reach))[..., None] * amount
    return (linear * (1 - air) + air * np.array(colour)).astype(np.float32)


def bloom(linear, amount, threshold):
    """Light that scatters in the lens: four widths, capped so that one lamp cannot white out the frame."""
    bright = linear.max(-1, keepdims=True)
    source = np.minimum(linear * np.clip((bright - threshold) / np.maximum(bright, 1e-4), 0, 1), 30)
    glow = sum(
        weight * blur(source, scaled(sigma, linear))
        for sigma, weight in ((8, 1), (24, 0.8), (66, 0.6), (160, 0.5))
    )
    return linear + amount * glow * np.array([1, 0.96, 0.92], np.float32)


def fringe(linear, amount):
    """Lateral colour of a real lens: red drawn a little larger, blue a little smaller."""
    height, width = linear.shape[:2]
    out = linear.copy()
    for channel, scale in ((0, 1 + amount), (2, 1 - amount)):
        matrix = np.float32([[scale, 0, width / 2 * (1 - scale)], [0, scale, height / 2 * (1 - scale)]])
        plane = np.ascontiguousarray(linear[..., channel])
        out[..., channel] = cv2.warpAffine(
            plane, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return out


def film(linear, contrast, saturation):
    """Scene light to display light.

    Channels are pulled together first and apart again afterwards, so that strong colours go to white through
    paler tones, as on film, instead of clipping to a flat primary. The curve on each channel alone would turn
    orange lamps lemon; the curve on the peak alone would never reach white: hence both.
    """
    mixed = linear * 0.84 + (linear @ LUMA)[..., None] * 0.16
    separate = _curve(mixed, contrast)
    peak = np.maximum(mixed.max(-1, keepdims=True), 1e-6)
    together = mixed / peak * _curve(peak, contrast)
    curve = 0.6 * separate + 0.4 * together
    grey = (curve @ LUMA)[..., None]
    return (grey + (curve - grey) * saturation / 0.9).clip(0, 1)


def _curve(light, contrast):
    powered = np.maximum(light, 0) ** contrast
    return 1.03 * powered / (powered + 0.18**contrast * (1.03 / 0.17 - 1))


def to_srgb(linear):
    return np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-8) ** (1 / 2.4) - 0.055
    )


def to_linear(display):
    return np.where(display <= 0.04045, display / 12.92, ((display + 0.055) / 1.055) ** 2.4)


def vignette(linear, amount):
    height, width = linear.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    away = np.hypot((x / width - 0.5) * 2, (y / height - 0.5) * 2) / math.sqrt(2)
    return linear * (1 - amount * away**2.2)[..., None]


def grain(display, amount, seed):
    height, width = display.shape[:2]
    noise = blur(np.random.default_rng(seed).normal(size=(height, width)), 0.7) * 1.6
    tone = display.mean(-1)
    return display + (noise * amount * (0.35 + 0.65 * 4 * tone * (1 - tone)))[..., None]


def finish(linear, grade, seed=1):
    """Linear light to 8-bit sRGB, dithered so that skies and fog do not band."""
    picture = (linear * 2.0**grade.exposure * np.array(grade.balance)).astype(np.float32)
    picture = bloom(picture, grade.bloom, grade.threshold)
    picture = vignette(fringe(picture, grade.fringe), grade.vignette)
    display = to_srgb(film(picture, grade.contrast, grade.saturation))
    display = grain(display, grade.grain, seed)
    dither = np.random.default_rng(seed + 1).uniform(0, 1, display.shape)
    return (display.clip(0, 1) * 255 + dither).clip(0, 255).astype(np.uint8)
