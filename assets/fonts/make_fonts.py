"""Makes the program's fonts from Inter (SIL Open Font License 1.1).

Three weights are cut down to the Latin letters, punctuation, arrows and shapes that the program
writes, and Inter's tabular figures (its feature `tnum`) take the place of the proportional ones,
so that scores stand in columns. As the licence allows, the result has a name of its own.

    python assets/fonts/make_fonts.py /usr/share/fonts/opentype/inter

The folder is the one that Debian's package `fonts-inter` installs. Needs `fonttools`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

WEIGHTS = ("Regular", "Medium", "SemiBold")
FAMILY = "Carromsim Sans"
TEXT = [
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *range(0x2010, 0x2028),
    *map(ord, "‰′″‹›⁄€™←↑→↓↔↕↖↗↘↙⇧⌘⏎−×÷±√∞≈≠≤≥½¼¾⅓⅔●○◆◇▲▼△▽▶◀■□★☆✓✗✕⌫½µΩΔπσ∑"),
]


def make(source: Path, target: Path, weight: str) -> None:
    """Makes one weight."""
    font = TTFont(source)
    single = next(
        lookup
        for record in font["GSUB"].table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
        for lookup in font["GSUB"].table.LookupList.Lookup[index].SubTable
    )
    mapping = getattr(single, "ExtSubTable", single).mapping
    for table in font["cmap"].tables:
        for code in (*range(0x30, 0x3A), *map(ord, " +-=.,:−×")):
            glyph = table.cmap.get(code)
            if glyph in mapping and 0x30 <= code <= 0x39:
                table.cmap[code] = mapping[glyph]
    options = subset.Options()
    options.layout_features = ["kern", "ccmp", "mark", "mkmk", "locl"]
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.desubroutinize = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=TEXT)
    subsetter.subset(font)
    for record in font["name"].names:
        text = {
            1: FAMILY if weight == "Regular" else f"{FAMILY} {weight}",
            3: f"{FAMILY} {weight}, from {record.toUnicode()}",
            4: f"{FAMILY} {weight}",
            6: f"{FAMILY.replace(' ', '')}-{weight}",
            16: FAMILY,
        }.get(record.nameID)
        if text:
            record.string = text
    font.save(target)


def main() -> None:
    """Makes all weights."""
    source = Path(sys.argv[1])
    for weight in WEIGHTS:
        target = Path(__file__).parent / f"CarromsimSans-{weight}.otf"
        make(source / f"Inter-{weight}.otf", target, weight)
        print(target.name, target.stat().st_size)


if __name__ == "__main__":
    main()
