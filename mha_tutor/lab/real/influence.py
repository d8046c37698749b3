"""Weight is not influence: what of a place's weight arrives once it is multiplied by its value row."""

from __future__ import annotations

import numpy as np

from ...attention import Array
from .bert import Pass
from .folder import Real


def first_token(real: Real, run: Pass) -> tuple[Array, Array, Array]:
    """How long [CLS] value rows are after W^O, by layer, beside the words'; and what of them arrives.

    Three arrays (layers,): the length of v W_i^O for [CLS] over the words' mean; the share of [CLS]
    in the lengths of all that is mixed, weight times length; and the mean weight on [CLS].
    """
    found = []
    for layer, seen in zip(real.model.layers, run.seen, strict=True):
        w_hed = layer.attention["w_o"].reshape(real.model.heads, -1, real.model.width)
        gram_hee = w_hed @ w_hed.swapaxes(1, 2)  # |v W|^2 is v (W W^T) v^T
        v_hne = seen.v_tc.reshape(len(seen.v_tc), real.model.heads, -1).swapaxes(0, 1)
        length_hn = np.sqrt(np.maximum(((v_hne @ gram_hee) * v_hne).sum(axis=2), 0)).astype(float)
        first, words, sent, all_sent, weight, count = 0.0, 0.0, 0.0, 0.0, 0.0, 0
        for cut, weights_hts in zip(run.cuts, seen.weights, strict=True):
            length_hs = length_hn[:, cut]
            first += length_hs[:, 0].mean()
            words += length_hs[:, 1:-1].mean()
            asked_hs = weights_hts[:, 1:-1].sum(axis=1).astype(float)  # by the words
            sent += float((asked_hs[:, 0] * length_hs[:, 0]).sum())
            all_sent += float((asked_hs * length_hs).sum())
            weight += float(asked_hs[:, 0].mean())
            count += weights_hts.shape[1] - 2
        found.append((first / words, sent / all_sent, weight / count))
    return tuple(np.array(column) for column in zip(*found, strict=True))  # type: ignore[return-value]
