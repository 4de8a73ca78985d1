"""Runs programs one after the other, each in a process of its own that is forked from this one.

Each line of the input is one: its folder, what is imported from where, its environment and its arguments. What it
printed comes out, and then a line with how it ended. The processes begin with what nearly every program imports: a
Python that starts anew takes a third of a second of a processor, most of it for that.
"""

import asyncio  # noqa: F401
import email.parser  # noqa: F401
import http.client  # noqa: F401
import importlib
import json
import logging  # noqa: F401
import os
import runpy
import sys
import traceback
import urllib.request  # noqa: F401


def run(folder, paths, environment, words):
    os.chdir(folder)
    os.environ.update(environment)
    sys.path[:1] = [folder, *paths]
    sys.argv = words
    importlib.invalidate_caches()
    runpy.run_path(words[0], run_name="__main__")


for line in sys.stdin:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            run(**json.loads(line))
            code = 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(code)
    _, status = os.waitpid(child, 0)
    print(json.dumps({"exit": os.waitstatus_to_exitcode(status)}), flush=True)
