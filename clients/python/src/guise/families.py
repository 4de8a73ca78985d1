"""The families of jobs: where they are run, and how their bodies are made."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Literal, Mapping, NamedTuple, Sequence, Union

from .photos import Photo, read_photo

Gender = Literal["male", "female", "boy", "girl", "group"]
#: An integer of a catalog, or the UUID of a custom filter or an alias.
FilterRef = Union[int, str]
Photos = Union[Photo, Sequence[Photo]]

Family = Literal[
    "face_swap_v6",
    "face_swap_v5",
    "face_swap_v1",
    "self_prompt_v2",
    "multi_swap_v5",
    "multi_swap_self_prompt_v5",
    "stylized_multi_swap_v1",
    "stylized_multi_swap_self_prompt_v1",
    "multi_swap_v4",
    "single_frame_video",
    "first_last_frame_video",
    "living_portrait",
]

GENDERS: Mapping[str, int] = {"male": 0, "female": 1, "boy": 2, "girl": 3, "group": 4}


class FamilyCalls(NamedTuple):
    run: str
    status: str
    #: The field of the interface for each name of the client.
    fields: Mapping[str, str]
    #: What is sent unless the caller says otherwise.
    defaults: Mapping[str, Any] = {}


_ANY = {"seed": "seed", "webhook_url": "webhook_url"}
_FACE = {**_ANY, "filter": "filter_id", "gender": "gender", "ratio": "ratio"}
_GROUP = {**_ANY, "photo": "input_image", "style": "style_id", "outpaint": "outpaint"}
_GROUP_PROMPT = {**_ANY, "prompt": "prompt", "photos": "input_images", "outpaint": "outpaint"}
_VIDEO = {**_ANY, "prompt": "prompt", "model": "model", "duration": "duration"}
_VIDEO_STATUS = "/v1/status/single_frame_video/"
_STYLIZED_STATUS = "/v1/status_stylized_multi_swap/"
_IN_FRAME = {"outpaint": False}

FAMILIES: Mapping[str, FamilyCalls] = {
    "face_swap_v6": FamilyCalls(
        "/v6/run/face_swap",
        "/v6/status/",
        {**_FACE, "photo": "base64", "quality_mode": "quality_mode"},
    ),
    "face_swap_v5": FamilyCalls("/v5/run/face_swap", "/v5/status/", {**_FACE, "photo": "base64"}),
    "face_swap_v1": FamilyCalls("/v1/run/faceswap", "/v2/status/", {**_FACE, "photo": "image"}),
    "self_prompt_v2": FamilyCalls(
        "/v2/run/self-prompt",
        "/v2/status/",
        {**_ANY, "prompt": "prompt", "photo": "image", "gender": "gender", "ratio": "ratio"},
    ),
    "multi_swap_v5": FamilyCalls("/v5/run/multi_swap", "/v5/status_multi_swap/", _GROUP, _IN_FRAME),
    "multi_swap_self_prompt_v5": FamilyCalls(
        "/v5/run/multi_swap_self_prompt", "/v5/status_multi_swap/", _GROUP_PROMPT, _IN_FRAME
    ),
    "stylized_multi_swap_v1": FamilyCalls(
        "/v1/run/stylized_multi_swap", _STYLIZED_STATUS, _GROUP, _IN_FRAME
    ),
    "stylized_multi_swap_self_prompt_v1": FamilyCalls(
        "/v1/run/stylized_multi_swap_self_prompt", _STYLIZED_STATUS, _GROUP_PROMPT, _IN_FRAME
    ),
    "multi_swap_v4": FamilyCalls(
        "/v4/multi_swap_styles/",
        "/v1/status_multi_swap/",
        {**_ANY, "filter": "filter_id", "photos": "input_images"},
    ),
    "single_frame_video": FamilyCalls(
        "/v1/run/single_frame_video",
        _VIDEO_STATUS,
        {**_VIDEO, "photo": "prompt_image", "aspect_ratio": "aspect_ratio"},
    ),
    "first_last_frame_video": FamilyCalls(
        "/v1/run/first_last_frame_video",
        _VIDEO_STATUS,
        {**_VIDEO, "first": "first_frame", "last": "last_frame"},
        {"model": "advanced"},
    ),
    "living_portrait": FamilyCalls(
        "/v1/run/living_portrait",
        "/v1/status/living_portrait/",
        {
            **_FACE,
            "photos": "images",
            "video": "video",
            "style": "style_id",
            "stylized": "stylized",
            "seconds": "seconds",
            "loop": "loop",
            "format": "format",
        },
    ),
}


def make_body(family: str, given: Mapping[str, Any], read: Callable[[Photo], str]) -> Dict[str, Any]:
    """The body of a run request. What is None is left out."""
    calls = FAMILIES[family]
    body: Dict[str, Any] = dict(calls.defaults)
    for name, value in given.items():
        if name not in calls.fields:
            raise TypeError(f"{family} takes no {name}")
        if value is not None:
            body[calls.fields[name]] = _encode(name, value, read)
    return body


def _encode(name: str, value: Any, read: Callable[[Photo], str]) -> Any:
    if name in ("photo", "first", "last"):
        return read(value)
    if name == "video":
        return read_photo(value, None, None)
    if name == "photos":
        photos: List[Photo] = list(value) if isinstance(value, (list, tuple)) else [value]
        return [read(photo) for photo in photos]
    # A gender that is not known is for the server to refuse.
    return GENDERS.get(value, value) if name == "gender" else value
