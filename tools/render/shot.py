"""One plate in the making: its size, its linear light and its depth in metres."""

from dataclasses import dataclass

import numpy as np

from develop import enlarge, enlarge_depth

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


@dataclass
class Frame:
    """A square picture from which portrait, landscape and square are cut."""

    linear: np.ndarray
    depth: np.ndarray

    def cut(self, shot, band):
        """The shape's linear light; its depth goes into the shot. Portrait is the middle of the frame,
        landscape a band that starts at the share `band` of its height."""
        shot.depth = enlarge_depth(_part(self.depth, shot.shape, band), shot.width, shot.height)
        return enlarge(_part(self.linear, shot.shape, band), shot.width, shot.height)


def _part(picture, shape, band):
    side = len(picture)
    if shape == 'portrait':
        return picture[:, side // 6 : side - side // 6]
    if shape == 'landscape':
        top = round(side * band)
        return picture[top : top + side * 2 // 3]
    return picture
