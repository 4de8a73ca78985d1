def Field(default, **_):
    return default
