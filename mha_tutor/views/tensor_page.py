"""One tensor of a walk as a page: a table for each head, its rows and columns named."""

from __future__ import annotations

import numpy as np

from ..numbers import form_for
from ..texts import texts
from ..trace import Axis, Tensor, Trace
from .page import Band, Formula, Page, Table


def tensor_page(
    trace: Trace, name: str, *, head: int | None = None, token: int | None = None, decimals: int = 2
) -> Page:
    """The tensor of that name. ``head``, from 1, shows one head of it; ``token`` marks a row.

    Raises KeyError when the trace has no such tensor.
    """
    tensor = trace[name]
    say = texts("pages")
    planes = range(tensor.values.shape[0]) if tensor.values.ndim == 3 else ()
    if head is not None and planes:
        planes = range(_plane(trace, tensor, head - 1), _plane(trace, tensor, head - 1) + 1)
    tables = tuple(_table(tensor, plane, token, decimals) for plane in planes)
    shape = "x".join(str(size) for size in tensor.values.shape)
    return Page(
        key=name,
        title=name,
        source=say["source"].format(example=trace.example, provenance=trace.provenance),
        blocks=(
            Formula(_formula(trace, name), f"{name} {shape}"),
            *(tables or (_table(tensor, None, token, decimals),)),
        ),
    )


def _formula(trace: Trace, name: str) -> str:
    """The formula of the stage that makes the tensor; its name when it is given."""
    made = {output.name: stage.formula for stage in trace.stages for output in stage.outputs}
    return made.get(name, name)


def _plane(trace: Trace, tensor: Tensor, head: int) -> int:
    """Where a head's numbers stand: at its own place, or at the key/value head that it reads."""
    return trace.kv_of_head[head] if tensor.axes[0].letter == "g" else head


def _table(tensor: Tensor, plane: int | None, token: int | None, decimals: int) -> Table:
    rows, columns = tensor.axes[-2:] if len(tensor.axes) > 1 else (Axis("", ("",)), tensor.axes[0])
    title = tensor.name if plane is None else f"{tensor.name}_{plane + 1}"
    words = texts("pages")["axes"]
    is_map = rows.letter + columns.letter == "ts"
    band = Band(
        title=title,
        start=0,
        stop=len(columns.labels),
        form=form_for(tensor.values, decimals),
        head=plane if tensor.axes[0].letter == "h" else None,
        paint="weights" if tensor.name == "weights" else "signed",
        axis=words["to"] if is_map else "",
    )
    return Table(
        title=title,
        values=np.atleast_2d(tensor.values.astype(float)) if plane is None else tensor.values[plane],
        rows=rows.labels,
        columns=columns.labels,
        bands=(band,),
        row_axis=words["from"] if is_map else "",
        chosen=token if rows.letter == "t" else None,
        counted=_counted(rows),
    )


def _counted(axis: Axis) -> bool:
    return axis.letter in ("t", "s")
