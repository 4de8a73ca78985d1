"""Builds the wheel and the source archive (PEP 517) with the standard library alone."""

import base64
import hashlib
import re
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _field(name):
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(rf'^{name} = "(.*)"$', text, re.MULTILINE).group(1)


def _metadata():
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {_field('name')}",
        f"Version: {_field('version')}",
        f"Summary: {_field('description')}",
        f"Requires-Python: {_field('requires-python')}",
        "License: MIT",
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / "README.md").read_text(encoding="utf-8"),
    ]
    return "\n".join(lines)


def _package_files():
    source = ROOT / "src"
    for path in sorted(source.rglob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            yield path.relative_to(source).as_posix(), path.read_bytes()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    stem = f"{_field('name')}-{_field('version')}"
    info = f"{stem}.dist-info"
    wheel = "Wheel-Version: 1.0\nGenerator: guise\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = [
        *_package_files(),
        (f"{info}/METADATA", _metadata().encode()),
        (f"{info}/WHEEL", wheel.encode()),
    ]
    record = ""
    for name, content in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files:
            archive.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory, config_settings=None):
    stem = f"{_field('name')}-{_field('version')}"
    name = f"{stem}.tar.gz"
    with tarfile.open(Path(sdist_directory) / name, "w:gz") as archive:
        for part in ("pyproject.toml", "README.md", "src", "build_backend"):
            archive.add(
                ROOT / part,
                f"{stem}/{part}",
                filter=lambda entry: None if "__pycache__" in entry.name else entry,
            )
    return name
