"""The catalog's JSON files: two spaces, and lists of plain values on one line."""

import json
import re


def write(path, fields):
    text = json.dumps(fields, indent=2)
    text = re.sub(
        r'\[\s+([^\[\]{}]*?)\s+\]', lambda found: '[' + re.sub(r'\s*\n\s*', ' ', found[1]) + ']', text
    )
    path.write_text(text + '\n')
