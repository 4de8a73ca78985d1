import json
import os

from pydantic import SecretStr, SerializationInfo


class BaseConfig:
    """Settings from the file that `model_config` names, over the defaults of the class. Called again, it reads again."""

    def __init__(self):
        vars(self).clear()
        if os.path.exists(self.model_config["json_file"]):
            with open(self.model_config["json_file"], encoding="utf-8") as file:
                self._take(json.load(file))

    @classmethod
    def model_construct(cls):
        return cls.__new__(cls)

    @classmethod
    def model_validate(cls, values):
        """Values over those of the file, which therefore has to be sound."""
        config = cls()
        config._take(values)
        return config

    def _take(self, values):
        for name, value in values.items():
            is_secret = type(self).__annotations__[name] is SecretStr
            if not isinstance(value, str if is_secret else object):
                raise ValueError(f"{name} is not a string")
            setattr(self, name, SecretStr(value) if is_secret else value)

    def get_current(self, secrets_is_allowed=False):
        """As pydantic dumps them: a secret is asterisks, unless a serializer of the class says otherwise."""
        values = {name: getattr(self, name) for name in type(self).__annotations__}
        for serialize in vars(type(self)).values():
            name = getattr(serialize, "serializes", None)
            if name:
                values[name] = serialize(self, values[name], SerializationInfo({"secrets_is_allowed": secrets_is_allowed}))
        return {name: str(value) if isinstance(value, SecretStr) else value for name, value in values.items()}

    def persist(self):
        with open(self.model_config["json_file"], "w", encoding="utf-8") as file:
            json.dump(self.get_current(secrets_is_allowed=True), file)
