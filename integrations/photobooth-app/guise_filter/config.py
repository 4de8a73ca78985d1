"""The settings of the plugin, which photobooth-app shows in its admin pages."""

from typing import List, Literal

from photobooth import CONFIG_PATH
from photobooth.services.config.baseconfig import BaseConfig
from pydantic import Field, SecretStr, SerializationInfo, field_serializer
from pydantic_settings import SettingsConfigDict


class GuiseFilterConfig(BaseConfig):
    model_config = SettingsConfigDict(
        title="Guise",
        json_file=f"{CONFIG_PATH}plugin_guise_filter.json",
        env_prefix="guise-filter-",
    )

    server: str = Field(default="http://127.0.0.1:8080", description="Address of the Guise server.")
    api_key: SecretStr = Field(default=SecretStr(""), description="Key of the account that pays for the pictures.")
    gender: Literal["from the photo", "female", "male", "girl", "boy", "group"] = Field(
        default="from the photo", description="Who is in the photos."
    )
    selectable: List[str] = Field(
        default=[],
        description="Filters that guests can choose, by their number or id. Empty: all of them.",
    )
    seconds: int = Field(
        default=60, ge=5, le=300, description="How long a picture may take before the guest gets the plain photo."
    )

    @field_serializer("api_key")
    def _serialize_key(self, key: SecretStr, info: SerializationInfo) -> str:
        # photobooth-app allows secrets where it writes the file of settings and for its admin page. pydantic alone
        # would write asterisks into the file.
        allowed = bool(info.context) and info.context.get("secrets_is_allowed", False)
        return key.get_secret_value() if allowed else str(key)
