"""Writes the outlines of Arabic and Japanese letters that prints are lettered with.

    python3 tools/letters/other_letters.py     (needs fonttools and brotli)

They are those of Noto Sans Arabic and Noto Sans JP (OFL-1.1), of the npm packages that the booth's pages load. Arabic
letters are stored as the forms that Unicode has for their places in a word, with a table of which form is which.
"""

import json
import unicodedata
from pathlib import Path

import brotli
from fontTools.misc.transform import Transform
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

root = Path(__file__).resolve().parents[2]
fonts = root / "node_modules" / "@fontsource-variable"
target = root / "packages" / "engine" / "src" / "picture-tasks"
units = 1000
weight = 500

licence = "SIL Open Font License 1.1: http://scripts.sil.org/OFL"


def outlines(font, wanted):
    """The advance and the path of each wanted character that the font has."""
    scale = units / font["head"].unitsPerEm
    glyphs, characters = font.getGlyphSet(location={"wght": weight}), font.getBestCmap()
    letters = {}
    for code in sorted(wanted & characters.keys()):
        pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
        glyph = glyphs[characters[code]]
        glyph.draw(TransformPen(pen, Transform(scale, 0, 0, -scale, 0, 0)))
        letters[chr(code)] = [round(glyph.width * scale), pen.getCommands()]
    return letters


def metrics(font):
    scale = units / font["head"].unitsPerEm
    return round(font["hhea"].ascent * scale), round(-font["hhea"].descent * scale)


def write(name, source, font_metrics, letters, **rest):
    ascender, descender = font_metrics
    content = {"source": source, "ascender": ascender, "descender": descender, **rest, "letters": letters}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    # The Japanese ones have 6.6 MB as they are.
    packed = brotli.compress(text.encode(), quality=9, lgwin=24)
    (target / f"{name}.br").write_bytes(packed)
    print(name, len(letters), "letters,", len(packed), "bytes")


forms = ["isolated", "final", "initial", "medial"]


def arabic_forms():
    """Letters, and lam with alef, with the characters for their four places in a word."""
    table = {}
    for code in [*range(0xFB50, 0xFC00), *range(0xFE80, 0xFEFD)]:
        place, _, base = unicodedata.decomposition(chr(code)).partition("> ")
        parts = [chr(int(part, 16)) for part in base.split()]
        if place[1:] not in forms or not (len(parts) == 1 or parts[:1] == ["ل"]):
            continue
        table.setdefault("".join(parts), [None] * 4)[forms.index(place[1:])] = chr(code)
    return {letter: shapes for letter, shapes in table.items() if shapes[0] and len(letter) <= 2}


def write_arabic():
    font = TTFont(fonts / "noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2")
    table = arabic_forms()
    shapes = {ord(shape) for row in table.values() for shape in row if shape}
    others = {ord(letter) for letter in "ءـ،؛؟٪٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹"}
    letters = outlines(font, shapes | others)
    table = {
        letter: [shape if shape in letters else None for shape in row]
        for letter, row in table.items()
        if row[0] in letters
    }
    source = f"Outlines of Noto Sans Arabic Medium. Copyright 2022 The Noto Project Authors. {licence}"
    write("letters-arabic.json", source, metrics(font), letters, forms=table)


def japanese():
    """Signs, kana, and the kanji of both levels of JIS X 0208."""
    found = set()
    for row in range(0xA1, 0xF5):
        for cell in range(0xA1, 0xFF):
            try:
                found.add(ord(bytes([row, cell]).decode("euc_jp")))
            except (UnicodeDecodeError, TypeError):
                pass
    return {code for code in found if code > 0x2FFF or 0xFF00 <= code} | {ord("髙"), ord("﨑"), ord("々")}


def write_japanese():
    wanted, letters, font = japanese(), {}, None
    for file in sorted((fonts / "noto-sans-jp/files").glob("*-wght-normal.woff2")):
        font = TTFont(file)
        letters.update(outlines(font, wanted))
    source = f"Outlines of Noto Sans JP Medium. Copyright 2014-2021 Adobe. {licence}"
    write("letters-japanese.json", source, metrics(font), dict(sorted(letters.items())))


write_arabic()
write_japanese()
