"""Arithmetic from text, without `eval`: the syntax tree is walked, and only numbers and operators may be in it."""

from __future__ import annotations

import ast
import math
import operator
import re
import unicodedata
from collections.abc import Callable, Mapping

LONGEST = 500  # characters
MOST_BITS = 200  # of a result; more is no amount that anybody asks for
GREATEST_EXPONENT = 64

_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**", "[": "(", "]": ")"})
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PERCENT = re.compile(r"(\d+(?:\.\d*)?|\.\d+|\))\s*%(?!\s*[\d(.])")  # a number after it makes it the remainder
_BINARY: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


class ArithmeticFault(Exception):
    """What is wrong with an expression, for the one who wrote it."""


def evaluate(expression: str) -> str:
    """The value as text, ten digits at most. Raises ArithmeticFault."""
    text = unicodedata.normalize("NFKC", expression).translate(_SIGNS).strip().removesuffix("=").strip()
    if not text:
        raise ArithmeticFault("the expression is empty; write one such as 40 * (9800 + 1150).")
    if len(text) > LONGEST:
        raise ArithmeticFault(f"the expression has {len(text)} characters, at most {LONGEST} are read; do it in parts.")
    text = _PERCENT.sub(lambda match: ")/100" if match[1] == ")" else f"({match[1]}/100)", _THOUSANDS.sub("", text))
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ArithmeticFault(
            f"{expression.strip()[:80]!r} is no arithmetic; write numbers, + - * / // % ** and brackets."
        ) from None
    try:
        return _written(_value(tree.body))
    except ZeroDivisionError:
        raise ArithmeticFault("division by zero.") from None
    except (OverflowError, RecursionError):
        raise ArithmeticFault("the result is too large.") from None


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant):
        if type(node.value) in (int, float):
            return _bounded(node.value)  # type: ignore[arg-type]
        raise ArithmeticFault(f"{node.value!r} is no number.")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow):
            return _power(left, right)
        if type(node.op) in _BINARY:
            return _bounded(_BINARY[type(node.op)](left, right))
    if isinstance(node, ast.Name | ast.Call | ast.Attribute):
        raise ArithmeticFault(f"{ast.unparse(node)[:40]!r} is not known: only numbers can be reckoned with.")
    raise ArithmeticFault(f"{ast.unparse(node)[:40]!r} is no arithmetic; there are + - * / // % ** and brackets.")


def _power(base: float, exponent: float) -> float:
    if abs(exponent) > GREATEST_EXPONENT:
        raise ArithmeticFault(f"the exponent {exponent:g} is beyond {GREATEST_EXPONENT}.")
    value = base**exponent
    if isinstance(value, complex):
        raise ArithmeticFault(f"{base:g} ** {exponent:g} is no real number.")
    return _bounded(value)


def _bounded(value: float) -> float:
    too_large = value.bit_length() > MOST_BITS if isinstance(value, int) else not math.isfinite(value)
    if too_large:
        raise ArithmeticFault("the result is too large.")
    return value


def _written(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.10g}"
