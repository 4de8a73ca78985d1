"""Where a scene is seen from. Shared by Blender and by the paint that is laid over its picture afterwards."""

from dataclasses import dataclass

import numpy as np

SENSOR = 36.0


@dataclass(frozen=True)
class Camera:
    eye: tuple
    target: tuple
    lens: float

    def rays(self, width, height):
        """The direction through every pixel, scaled so that one unit is one metre of depth."""
        eye, target = np.array(self.eye, float), np.array(self.target, float)
        forward = (target - eye) / np.linalg.norm(target - eye)
        right = np.cross(forward, [0, 0, 1])
        right /= np.linalg.norm(right)
        up = np.cross(right, forward)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        step = SENSOR / self.lens / max(width, height)
        across, above = (x + 0.5 - width / 2) * step, (height / 2 - y - 0.5) * step
        return (forward + across[..., None] * right + above[..., None] * up).astype(np.float32)
