"""HTML for tests: read strictly, with its tables as rows of cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "col", "rect"}


@dataclass
class Node:
    """An element: its tag, attributes and children."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def all(self, tag: str) -> list[Node]:
        found = [self] if self.tag == tag else []
        return found + [n for child in self.children if isinstance(child, Node) for n in child.all(tag)]

    def find(self, name: str, value: str) -> Node:
        """The one element with that attribute."""
        (found,) = [n for n in self.everything() if n.attributes.get(name) == value]
        return found

    def everything(self) -> list[Node]:
        inner = [n for child in self.children if isinstance(child, Node) for n in child.everything()]
        return [self, *inner]


class _Strict(HTMLParser):
    """Every tag must be closed by its own end tag, attributes must not come twice."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = [Node("")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), (tag, attrs)
        if tag == "p":  # a browser would close the paragraph before a block
            assert "p" not in [node.tag for node in self.stack], attrs
        if tag in {"div", "table", "p", "dl", "section", "ul"}:
            assert not {"p", "button", "h2", "span"} & {node.tag for node in self.stack}, tag
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.stack[-1].children.append(node)
        if tag not in VOID:
            self.stack.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop().tag == tag, tag

    def handle_data(self, data: str) -> None:
        self.stack[-1].children.append(data)


def read(html: str) -> Node:
    """The document's or fragment's root; AssertionError where the nesting is not valid."""
    parser = _Strict()
    parser.feed(html)
    parser.close()
    assert len(parser.stack) == 1, [node.tag for node in parser.stack]
    return parser.stack[0]


def numbers(table: Node) -> list[list[str]]:
    """The texts of a table's data cells, row by row, the heading left out."""
    (body,) = table.all("tbody")
    return [[cell.text() for cell in row.all("td")] for row in body.all("tr")]
