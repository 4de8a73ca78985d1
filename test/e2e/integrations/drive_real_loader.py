"""Has photobooth-app itself load and call the plugin, in its order, and prints what came of it as JSON."""

import json
import sys

from PIL import Image

# The import finds, imports and registers the packages of ./plugins.
from photobooth.plugins import pm

with Image.open(sys.argv[1]) as file:
    photo = file.convert("RGB")
names = [name for names in pm.hook.mp_avail_filter() for name in names]
pm.hook.init()
pm.hook.start()
selectable = [name for names in pm.hook.mp_userselectable_filter() for name in names]
pictures = [pm.hook.mp_filter_pipeline_step(image=photo, plugin_filter=selectable[0], preview=preview) for preview in (True, False)]
foreign = pm.hook.mp_filter_pipeline_step(image=photo, plugin_filter="FilterPilgram2.aden", preview=False)
pm.hook.stop()
said = {
    "plugins": [name for name, _ in pm.list_name_plugin()],
    "available": len(names),
    "unknown": [name for name in selectable if name not in names],
    "pictures": [isinstance(made, Image.Image) and made.tobytes() != photo.tobytes() for made in pictures],
    "foreign": foreign,
}
print(json.dumps(said))
