from typing import Generic, TypeVar

T = TypeVar("T")


class BaseFilter(Generic[T]):
    """The booth's names for filters: the plugin's class, a dot, the filter."""

    def unify(self, filter):
        return f"{type(self).__name__}.{filter}"

    def deunify(self, name):
        plugin, filter = name.split(".", 2)
        return filter if plugin == type(self).__name__ else None
