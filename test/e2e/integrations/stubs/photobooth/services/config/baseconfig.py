import json


class BaseConfig:
    """Settings from the file that `model_config` names, over the defaults of the class."""

    def __init__(self):
        with open(self.model_config["json_file"], encoding="utf-8") as file:
            for name, value in json.load(file).items():
                setattr(self, name, value)
