import json
import os


class BaseConfig:
    """Settings from the file that `model_config` names, over the defaults of the class. Called again, it reads again."""

    def __init__(self):
        vars(self).clear()
        if os.path.exists(self.model_config["json_file"]):
            with open(self.model_config["json_file"], encoding="utf-8") as file:
                vars(self).update(json.load(file))
