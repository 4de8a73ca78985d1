"""Photos as callers have them."""

from __future__ import annotations

import base64
import os
import re
from typing import IO, Callable, Optional, Union

#: A path, bytes, an open file, or an address: text that begins with `http:`, `https:` or `data:`. The server fetches
#: http addresses itself, so they must be public.
Photo = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes]]

#: Makes an image no longer than so many pixels on its longer side, upright, as JPEG, PNG or WebP. With Pillow:
#: `Image.open`, `ImageOps.exif_transpose`, `thumbnail((side, side))`, `save(..., "JPEG")`.
ResizePhoto = Callable[[bytes, int], bytes]

DEFAULT_SIDE = 2048


def read_photo(photo: Photo, downscale: Union[bool, int, None], resize: Optional[ResizePhoto]) -> str:
    """A photo as the interface takes images: base64, a data URI or an address."""
    if isinstance(photo, str) and re.match(r"(https?|data):", photo, re.IGNORECASE):
        return photo
    content = _read_bytes(photo)
    if downscale:
        if resize is None:
            raise TypeError("downscale needs an image library: pass resize_photo to Guise().")
        content = resize(content, DEFAULT_SIDE if downscale is True else downscale)
    return base64.b64encode(content).decode("ascii")


def _read_bytes(photo: Photo) -> bytes:
    if isinstance(photo, (bytes, bytearray, memoryview)):
        return bytes(photo)
    if isinstance(photo, (str, os.PathLike)):
        with open(photo, "rb") as file:
            return file.read()
    return photo.read()
