"""The canvas a costume is made for, and the figure it must fit: where the chin is and how large a face stands
there."""

from camera import SENSOR, Camera

WIDTH, HEIGHT = 1200, 1800
CHIN = (600, 900)  # canvas pixels
FACE = 300  # canvas pixels from forehead to chin
FACE_METRES = 0.19
CHIN_METRES = 1.45  # above the ground
DISTANCE = 4.0


def portrait_camera():
    """A long lens level with the chin, so that a face's height on the canvas is a face's height in metres."""
    frame = HEIGHT / FACE * FACE_METRES
    middle = CHIN_METRES + (CHIN[1] - HEIGHT / 2) / FACE * FACE_METRES
    return Camera(eye=(0, -DISTANCE, middle), target=(0, 0, middle), lens=SENSOR * DISTANCE / frame)


def on_canvas(x, y, z):
    """Where a point of the costume, in metres, lies on the canvas."""
    camera = portrait_camera()
    scale = camera.lens / SENSOR * HEIGHT / (y + DISTANCE)
    return round(WIDTH / 2 + x * scale), round(HEIGHT / 2 - (z - camera.eye[2]) * scale)
