"""One plate in the making: its size, its linear light and its depth in metres."""

from dataclasses import dataclass

import numpy as np

SIZES = {'portrait': (1200, 1800), 'landscape': (1800, 1200), 'square': (1280, 1280)}


@dataclass
class Shot:
    shape: str
    width: int
    height: int
    colour: np.ndarray | None = None  # height x width x 3, linear; none yet when a scene is painted
    depth: np.ndarray | None = None  # height x width, metres

    def grid(self):
        """Pixel places as shares of the long side: x from the centre to the right, y from the top down."""
        y, x = np.mgrid[0 : self.height, 0 : self.width].astype(np.float32)
        side = max(self.width, self.height)
        return (x + 0.5 - self.width / 2) / side, (y + 0.5) / side

    @property
    def scale(self):
        """Pixels here for one pixel at the full size of the long side, 1800."""
        return max(self.width, self.height) / 1800
