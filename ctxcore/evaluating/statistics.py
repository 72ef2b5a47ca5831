"""Honest numbers for few paired questions: McNemar exact, a bootstrap interval without a die, Wilson, and how many
pairs a difference would need. Python integers throughout: 2 to the power of n overflows in others."""

from __future__ import annotations

from math import ceil, comb, sqrt

Z95, Z80 = 1.959964, 0.841621  # of the normal distribution: two-sided 95 %, power 80 %
FEW = 20  # pairs below which a result is an illustration only


def mcnemar(first_only: int, second_only: int) -> float:
    """Exact two-sided p of the pairs that only one side got right, were both equally good."""
    n = first_only + second_only
    tail = sum(comb(n, k) for k in range(min(first_only, second_only) + 1))
    return min(1.0, 2 * tail / (1 << n))


def bootstrap(first_only: int, second_only: int, pairs: int, level: float = 0.95) -> tuple[float, float]:
    """Percentile interval of the difference (second − first), −1 to 1, over resampled pairs.

    Each pair differs by −1, 0 or 1, so the distribution that 10,000 draws approach is computed instead of drawn.
    """
    if not pairs:
        return -1.0, 1.0
    down, up = first_only / pairs, second_only / pairs
    chances = [1.0]  # of the sums −k … k after k draws
    for _ in range(pairs):
        chances = _drawn(chances, down, 1 - down - up, up)
    rest = (1 - level) / 2
    return _quantile(chances, rest) / pairs, -_quantile(chances[::-1], rest) / pairs


def _drawn(chances: list[float], down: float, same: float, up: float) -> list[float]:
    padded = [0.0, 0.0, *chances, 0.0, 0.0]
    return [up * padded[at] + same * padded[at + 1] + down * padded[at + 2] for at in range(len(chances) + 2)]


def _quantile(chances: list[float], share: float) -> int:
    """The smallest sum that is reached with more than `share` of the chance below or at it."""
    below, middle = 0.0, len(chances) // 2
    for at, chance in enumerate(chances):
        below += chance
        if below > share + 1e-12:
            return at - middle
    return middle


def wilson(right: int, of: int) -> tuple[float, float]:
    """95 % interval of a share, sound for few and for 0 or all of them."""
    if not of:
        return 0.0, 1.0
    share, z = right / of, Z95
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def least_flips() -> int:
    """How many pairs must differ, all one way, before McNemar says p < .05."""
    return next(n for n in range(1, 64) if mcnemar(0, n) < 0.05)


def pairs_needed(discordant: float, difference: float) -> int:
    """Pairs for 80 % power at a two-sided 5 %, where a share `discordant` of them differs and `difference` is net."""
    root = Z95 * sqrt(discordant) + Z80 * sqrt(discordant - difference * difference)
    return ceil(root * root / (difference * difference))
