"""The sizes that decide what attention costs, checked.

Letters as in ``attention``: d is d_model, h heads, g kv_heads, n tokens; d_k and d_v are widths of one
head. Nothing here or in ``cost`` needs numpy: every figure is a Python integer, exact at any size.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from math import isqrt

from ..errors import InputError, did_you_mean

DTYPE_BYTES = {"float64": 8, "float32": 4, "float16": 2, "bfloat16": 2, "float8": 1, "int8": 1}
DTYPE_ALIASES = {
    "fp64": "float64",
    "double": "float64",
    "fp32": "float32",
    "fp16": "float16",
    "half": "float16",
    "bf16": "bfloat16",
    "fp8": "float8",
}

# The largest size that is taken, far above any model, so that a slip of the finger is noticed.
LIMITS = {
    "d_model": 1_000_000,
    "heads": 100_000,
    "kv_heads": 100_000,
    "d_k": 1_000_000,
    "d_v": 1_000_000,
    "layers": 10_000,
    "tokens": 100_000_000,
    "batch": 1_000_000,
}
OPTIONS = {name: "--" + name.replace("_", "-") for name in LIMITS} | {
    "d_k": "--head-width",
    "d_v": "--head-width",
}
LISTED = 12  # so many allowed values stand in a message


class HeadsError(InputError):
    """The heads cannot be cut from d_model in whole columns."""


@dataclass(frozen=True)
class Shape:
    """One kind of attention: its widths, how often it stands in the model, and how much it reads.

    ``fixed_width`` says that d_k is kept when the number of heads changes (as Keras' ``key_dim``);
    otherwise heads are cut from d_model, d_k = d_v = d_model / heads. ``Shape.of`` fills in what
    follows from the rest. Raises InputError for sizes that do not fit each other.
    """

    d_model: int
    heads: int
    kv_heads: int
    d_k: int
    d_v: int
    layers: int = 1
    tokens: int = 1
    batch: int = 1
    dtype: str = "float16"
    fixed_width: bool = False

    def __post_init__(self) -> None:
        for name in LIMITS:
            _check_size(name, getattr(self, name))
        if dtype_name(self.dtype) != self.dtype:
            raise InputError(f"dtype {self.dtype!r} is short for '{dtype_name(self.dtype)}'. Write that.")
        if self.heads % self.kv_heads:
            raise InputError(
                f"{self.kv_heads} key/value heads cannot be shared evenly by {self.heads} heads. "
                f"Choose {OPTIONS['kv_heads']} {_choice(self.heads, self.kv_heads)}."
            )
        if not self.fixed_width:
            _check_heads_divide(self.d_model, self.heads)
            width = self.d_model // self.heads
            if (self.d_k, self.d_v) != (width, width):
                raise InputError(
                    f"d_k = {self.d_k} and d_v = {self.d_v} were given, but heads cut from d_model are "
                    f"{self.d_model} / {self.heads} = {width} wide. Say fixed_width=True to keep them."
                )

    @classmethod
    def of(
        cls,
        d_model: int,
        heads: int,
        *,
        kv_heads: int | None = None,
        head_width: int | None = None,
        layers: int = 1,
        tokens: int = 1,
        batch: int = 1,
        dtype: str = "float16",
    ) -> Shape:
        """A shape from what one usually knows.

        Without ``kv_heads`` every head has its own K and V; without ``head_width`` a head is
        d_model / heads wide. Raises InputError with what was given and what is allowed.
        """
        _check_size("d_model", d_model)
        _check_size("heads", heads)
        if head_width is None:
            _check_heads_divide(d_model, heads)
            width = d_model // heads
        else:
            width = head_width
        return cls(
            d_model=d_model,
            heads=heads,
            kv_heads=heads if kv_heads is None else kv_heads,
            d_k=width,
            d_v=width,
            layers=layers,
            tokens=tokens,
            batch=batch,
            dtype=dtype_name(dtype),
            fixed_width=head_width is not None,
        )

    @property
    def dtype_bytes(self) -> int:
        """Bytes of one number."""
        return DTYPE_BYTES[self.dtype]

    @property
    def kind(self) -> str:
        """ "mha" when every head has its own K and V, "mqa" when all share one, "gqa" between."""
        if self.kv_heads == self.heads:
            return "mha"
        return "mqa" if self.kv_heads == 1 else "gqa"

    def with_heads(self, heads: int) -> Shape:
        """The same model with another number of heads, each with its own K and V."""
        if self.fixed_width:
            return replace(self, heads=heads, kv_heads=heads)
        _check_size("heads", heads)
        _check_heads_divide(self.d_model, heads)
        width = self.d_model // heads
        return replace(self, heads=heads, kv_heads=heads, d_k=width, d_v=width)

    def with_kv_heads(self, kv_heads: int) -> Shape:
        """The same model with another number of key/value heads."""
        return replace(self, kv_heads=kv_heads)

    def sizes(self) -> dict[str, int | str | bool]:
        """Every field by name, and ``dtype_bytes``."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {
            "dtype_bytes": self.dtype_bytes
        }


def divisors(number: int, most: int | None = None) -> tuple[int, ...]:
    """The numbers that divide ``number``, smallest first, none above ``most``."""
    small = [i for i in range(1, isqrt(number) + 1) if number % i == 0]
    both = dict.fromkeys(small + [number // i for i in reversed(small)])
    return tuple(i for i in both if most is None or i <= most)


def dtype_name(dtype: str) -> str:
    """The full name of a number type. Raises InputError, with a suggestion, when there is none."""
    name = DTYPE_ALIASES.get(dtype.lower(), dtype.lower()) if isinstance(dtype, str) else ""
    if name in DTYPE_BYTES:
        return name
    raise unknown("number type", dtype, DTYPE_BYTES, [*DTYPE_BYTES, *DTYPE_ALIASES])


def unknown(what: str, given: object, allowed: Iterable[str], close_to: Iterable[str] = ()) -> InputError:
    """The error for a name that is not among the allowed ones, with the nearest as a suggestion."""
    allowed = list(allowed)
    written = _written(given)
    text = given.lower()[:40] if isinstance(given, str) else ""
    hint = did_you_mean(text, [*allowed, *close_to])
    return InputError(f"There is no {what} {written}.{hint} Choose one of {', '.join(allowed)}.")


def _check_size(name: str, value: object) -> None:
    problem = "does not fit"
    if isinstance(value, int) and not isinstance(value, bool):
        if 1 <= value <= LIMITS[name]:
            return
        if value > 0:
            problem = "is more than this counts with"
    raise InputError(
        f"{name} = {_written(value)} {problem}: expected a whole number from 1 to {LIMITS[name]:,}. "
        f"Change {OPTIONS[name]}."
    )


def _check_heads_divide(d_model: int, heads: int) -> None:
    if d_model % heads:
        raise HeadsError(
            f"{heads} heads do not divide d_model = {d_model}: each head needs the same whole number of "
            f"columns. Choose {OPTIONS['heads']} {_choice(d_model, heads)}, or fix the width of a head "
            "with --head-width."
        )


def _choice(number: int, given: int) -> str:
    """The divisors of ``number`` for a message: all of them, or those nearest to ``given``."""
    fits = divisors(number, LIMITS["heads"])
    if len(fits) <= LISTED:
        return ", ".join(map(str, fits[:-1])) + (" or " if len(fits) > 1 else "") + str(fits[-1])
    near = sorted(sorted(fits, key=lambda fit: (abs(fit - given), fit))[:LISTED])
    return ", ".join(map(str, near)) + f" (the nearest of {len(fits)})"


def _written(value: object) -> str:
    """What was given, short enough for a message; Python refuses to write very long integers."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"{'-' if value < 0 else ''}2^{value.bit_length() - 1} or so"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
