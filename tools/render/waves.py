"""Water surfaces from a wind-wave spectrum, and the light such a surface focuses beneath it."""

import cv2
import numpy as np

GRAVITY = 9.81


class Waves:
    """A square patch of sea that repeats without a seam: height and slopes in metres per metre."""

    def __init__(self, metres, wind, seed, count=1024, heading=0.6, shortest=0.0, spread=2):
        self.metres, self.count = metres, count
        chance = np.random.default_rng(seed)
        wave = 2 * np.pi * np.fft.fftfreq(count, metres / count)
        kx, ky = np.meshgrid(wave, wave)
        k = np.hypot(kx, ky)
        k[0, 0] = 1
        longest = wind**2 / GRAVITY
        along = np.abs(kx * np.cos(heading) + ky * np.sin(heading)) / k
        power = (
            np.exp(-1 / (k * longest) ** 2) / k**4 * (0.15 + along**spread) * np.exp(-((k * shortest) ** 2))
        )
        power[0, 0] = 0
        phases = chance.normal(size=k.shape) + 1j * chance.normal(size=k.shape)
        spectrum = np.sqrt(power) * phases
        self.height, self.slope_x, self.slope_y = (
            np.fft.ifft2(spectrum * factor).real.astype(np.float32) for factor in (1, 1j * kx, 1j * ky)
        )

    def steepness(self, rms):
        """Scale the sea so that its slopes have this root mean square."""
        factor = rms / np.sqrt((self.slope_x**2 + self.slope_y**2).mean())
        for plane in (self.height, self.slope_x, self.slope_y):
            plane *= factor
        return self

    def at(self, plane, x, y):
        return repeat(plane, x / self.metres, y / self.metres)

    def caustics(self, depth):
        """Brightness on a floor below: every point of the surface sends its light along the refracted ray."""
        step = self.metres / self.count
        rows, columns = np.mgrid[0 : self.count, 0 : self.count].astype(np.float32)
        bend = 0.25 * depth / step  # (n - 1) / n for water
        total = np.zeros((self.count, self.count), np.float32)
        for shift in ((0, 0), (0.5, 0), (0, 0.5), (0.5, 0.5)):
            x = np.round(columns + shift[0] - bend * self.slope_x).astype(int) % self.count
            y = np.round(rows + shift[1] - bend * self.slope_y).astype(int) % self.count
            total += np.bincount((y * self.count + x).ravel(), minlength=self.count**2).reshape(total.shape)
        wide = np.pad(total / 4, 16, mode='wrap')
        return cv2.GaussianBlur(wide, (0, 0), 1.4)[16:-16, 16:-16]


def repeat(texture, u, v):
    """A repeating texture read between its pixels; u and v count whole repeats."""
    if u.ndim == 1:  # OpenCV takes pictures, and no more than 32767 pixels in a row
        spare = -len(u) % 4096
        u, v = (np.pad(row, (0, spare)).reshape(-1, 4096) for row in (u, v))
        return repeat(texture, u, v).ravel()[: u.size - spare]
    size = texture.shape[0]
    wide = np.pad(texture, ((0, 1), (0, 1)), mode='wrap').astype(np.float32)
    x, y = (u % 1 * size).astype(np.float32), (v % 1 * size).astype(np.float32)
    return cv2.remap(wide, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
