"""Writes the calls that block, `guise/_sync`, from those for asyncio, `guise/_async`.

One text for both keeps them alike: what is awaited in one is called in the other. `--check` writes nothing and tells
whether the files are as they would be written.
"""

import argparse
import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "src" / "guise"

REPLACEMENTS = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync([A-Z]\w*)", r"\1"),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"\bAwaitable, ", ""),
    (r"\basyncio calls\b", "blocking calls"),
]


def sync_text(text):
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for source in sorted((PACKAGE / "_async").glob("*.py")):
        target = PACKAGE / "_sync" / source.name
        text = sync_text(source.read_text(encoding="utf-8"))
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        stale.append(target.name)
        if not check:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
    if stale and check:
        sys.exit(f"Run make_sync.py: {', '.join(stale)} would change.")


main()
