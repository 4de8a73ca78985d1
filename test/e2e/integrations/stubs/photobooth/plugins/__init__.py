def hookimpl(function):
    function.is_hook = True
    return function
