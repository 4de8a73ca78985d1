def Field(default, **_):
    return default


class SecretStr:
    def __init__(self, value):
        self._value = value

    def get_secret_value(self):
        return self._value

    def __str__(self):
        return "**********" if self._value else ""

    __repr__ = __str__


class SerializationInfo:
    def __init__(self, context):
        self.context = context


def field_serializer(name):
    def mark(function):
        function.serializes = name
        return function

    return mark
