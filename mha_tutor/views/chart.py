"""Listings and charts as lines of plain text; a terminal view may colour them, a plain one prints them."""

from __future__ import annotations

from math import log2

from .page import Bars, Chart, Listing

GAP = 2
BAR = 20  # longer than this a bar does not show more
SHORTEST = 4  # below this bars are left out; digits never are
EIGHTHS = " ▏▎▍▌▋▊▉"


def listing_lines(listing: Listing, width: int) -> list[str]:
    """The listing in columns, or cell by cell where ``width`` is too narrow for its columns."""
    table = (listing.columns, *listing.rows)
    widths = [max(len(row[j]) for row in table) for j in range(len(listing.columns))]
    if sum(widths) + GAP * (len(widths) - 1) > width:
        return [listing.title, *_stacked(listing, width)]
    lines = [
        (" " * GAP)
        .join(
            cell.rjust(size) if j in listing.right else cell.ljust(size)
            for j, (cell, size) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in table
    ]
    if listing.total:
        lines.insert(len(lines) - listing.total, "-" * (sum(widths) + GAP * (len(widths) - 1)))
    return [listing.title, *lines]


def _stacked(listing: Listing, width: int) -> list[str]:
    """Cell by cell under the first cell; on one line where the columns have no names."""
    lines = []
    for first, *cells in listing.rows:
        if not all(listing.columns[1:]):
            lines.append("  ".join([first.rstrip(), *(cell.strip() for cell in cells if cell.strip())]))
            continue
        lines.append(f"{listing.columns[0]} {first}".strip() if first.strip().isdigit() else first)
        if listing.numbered:
            named = zip(listing.columns[1:], cells, strict=True)
            lines += _packed([f"{listing.numbered} {name} {cell}" for name, cell in named], width)
            continue
        lines += [f"  {name}: {cell}" for name, cell in zip(listing.columns[1:], cells, strict=True) if cell]
    return lines


def _packed(cells: list[str], width: int) -> list[str]:
    """Cells of equal width, as many to a line as there is room for, set in."""
    size = max(map(len, cells))
    each = max(1, width // (size + GAP))
    rows = [cells[i : i + each] for i in range(0, len(cells), each)]
    return [" " * GAP + (" " * GAP).join(cell.ljust(size) for cell in row).rstrip() for row in rows]


def chart_lines(chart: Chart, width: int, ascii: bool = False) -> list[str]:
    """The chart with as many series side by side as ``width`` takes, the others below."""
    left = GAP + max(len(x) for x in (chart.x_name, *chart.xs))
    lines = [chart.title]
    groups = _side_by_side(chart, width - left)
    wide_enough = (
        c for c in range(BAR, SHORTEST - 1, -1) if max(_width(g, c) for g in groups) <= width - left
    )
    cells = next(wide_enough, 0)  # the same everywhere, so that all bars can be compared
    for group in groups:
        columns = [_column(chart, bars, cells, ascii) for bars in group]
        for row, x in enumerate((chart.x_name, *chart.xs)):
            mark = "> " if chart.here is not None and row == chart.here + 1 else "  "
            line = mark + x.rjust(left - GAP) + "".join(" " * GAP + column[row] for column in columns)
            lines.append(line.rstrip())
        lines.append("")
    return lines[:-1]


def bar_text(share: float, cells: int, ascii: bool = False) -> str:
    """A bar of ``share`` (0 to 1) of so many cells; whatever is more than nothing can be seen."""
    if cells == 0 or share <= 0:
        return ""
    if ascii:
        return "#" * round(share * cells) or "."
    whole, part = divmod(max(1, round(share * cells * 8)), 8)
    return "█" * whole + EIGHTHS[part].strip()


def shares(chart: Chart) -> list[tuple[float, ...]]:
    """How much of its full length each bar takes, series by series, from 0 to 1."""
    if chart.scale == "linear":
        tops: dict[str, float] = {}
        for bars in chart.series:
            tops[bars.unit] = max(tops.get(bars.unit, 1), *_known(bars))
        return [tuple((value or 0) / tops[bars.unit] for value in bars.values) for bars in chart.series]
    steps = [
        tuple(1 + log2(value / min(_known(bars))) if value else 0.0 for value in bars.values)
        for bars in chart.series
    ]
    most = max(max(row) for row in steps)
    return [tuple(step / most for step in row) for row in steps]


def _known(bars: Bars) -> list[float]:
    return [value for value in bars.values if value is not None] or [1]


def _digits(bars: Bars) -> int:
    return max(len(text) for text in bars.written)


def _width(group: list[Bars], cells: int) -> int:
    """What a group of series takes with bars of so many cells, with the gap before each."""
    return sum(GAP + max(len(bars.name), _digits(bars) + 1 + cells) for bars in group)


def _side_by_side(chart: Chart, room: int) -> list[list[Bars]]:
    """The series in groups that fit into ``room``, each series in one of them."""
    groups: list[list[Bars]] = []
    for bars in chart.series:
        if groups and _width([*groups[-1], bars], SHORTEST) <= room:
            groups[-1].append(bars)
        else:
            groups.append([bars])
    return groups


def _column(chart: Chart, bars: Bars, cells: int, ascii: bool) -> list[str]:
    """One series from its name down, all lines of one width."""
    share = shares(chart)[chart.series.index(bars)]
    digits = _digits(bars)
    lines = [bars.name] + [
        f"{text.rjust(digits)} {bar_text(part, cells, ascii)}"
        for text, part in zip(bars.written, share, strict=True)
    ]
    size = max(len(bars.name), digits + 1 + cells)
    return [line.ljust(size) for line in lines]
