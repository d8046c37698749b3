"""Do the arrays given to ``multi_head_attention`` fit together? A ValueError says which does not."""

from __future__ import annotations

from .attention import Array, Mask

NAMES = ("q", "k", "v", "o")


def check_weights(
    x_td: Array,
    asked_sd: Array,
    matrices: tuple[Array, Array, Array, Array],
    biases: tuple[Array | None, ...],
    heads: int,
    kv_heads: int,
) -> None:
    """Raise ValueError unless W^Q, W^K, W^V, W^O and their biases fit x, the asked tokens and the heads."""
    if heads < 1 or kv_heads < 1 or heads % kv_heads:
        raise ValueError(f"{heads} heads cannot share {kv_heads} key/value heads evenly")
    if x_td.ndim < 2 or asked_sd.ndim < 2:
        raise ValueError(f"tokens: shapes {x_td.shape} and {asked_sd.shape}, expected one row a token")
    if asked_sd is not x_td and not _spreads(asked_sd.shape[:-2], x_td.shape[:-2]):
        raise ValueError(f"memory: shape {asked_sd.shape}, its batch does not go with x {x_td.shape}")
    w_q_dc, w_k_dc, w_v_dc, w_o_cd = matrices
    shapes = w_q_dc.shape, w_k_dc.shape, w_v_dc.shape, w_o_cd.shape
    if not w_q_dc.ndim == w_k_dc.ndim == w_v_dc.ndim == w_o_cd.ndim == 2:
        raise ValueError(f"matrices: shapes {shapes}, expected four packed matrices (rows, columns)")

    d, d_asked = x_td.shape[-1], asked_sd.shape[-1]
    d_k, d_v = shapes[0][1] // heads, shapes[2][1] // kv_heads
    expected = (
        (d, heads * d_k),
        (d_asked, kv_heads * d_k),
        (d_asked, kv_heads * d_v),
        (heads * d_v, shapes[3][1]),
    )
    if shapes != expected:
        wrong = [
            f"w_{name} {shape}, expected {fits}"
            for name, shape, fits in zip(NAMES, shapes, expected, strict=True)
            if shape != fits
        ]
        raise ValueError(
            f"{'; '.join(wrong)}: for {heads} heads and {kv_heads} key/value heads, "
            f"x {x_td.shape}, asked tokens {asked_sd.shape}"
        )
    for name, bias, shape in zip(NAMES, biases, shapes, strict=True):
        if bias is not None and bias.shape != shape[1:]:
            raise ValueError(f"b_{name} {bias.shape}, expected {shape[1:]} for w_{name} {shape}")


def check_past(past: tuple[Array, Array], k_gse: Array, v_gse: Array) -> None:
    """Raise ValueError unless the cache's keys and values fit in front of the new ones."""
    past_k_gse, past_v_gse = past
    tokens = past_k_gse.shape[-2:-1]
    for name, old, new in (("keys", past_k_gse, k_gse), ("values", past_v_gse, v_gse)):
        expected = (*new.shape[:-2], *tokens, new.shape[-1])
        if old.shape != expected:
            raise ValueError(f"past {name}: shape {old.shape}, expected {expected} before {new.shape}")


def check_mask(mask: Array | Mask, scores_shape: tuple[int, ...]) -> None:
    """Raise ValueError unless the mask is booleans or floats and broadcasts to the scores' shape."""
    if mask.dtype.kind not in "bf":
        raise ValueError(
            f"mask: {mask.dtype} numbers, expected booleans (True = may be asked) or floats to add"
        )
    if not _spreads(mask.shape, scores_shape):
        raise ValueError(f"mask: shape {mask.shape}, does not spread over scores {scores_shape}")


def _spreads(shape: tuple[int, ...], over: tuple[int, ...]) -> bool:
    """Whether numpy broadcasts an array of that shape to ``over``, whose shape stays as it is."""
    return len(shape) <= len(over) and all(
        size in (1, place) for size, place in zip(reversed(shape), reversed(over), strict=False)
    )
