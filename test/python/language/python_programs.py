"""Random functions in plain Python, for what the compiler evaluates itself: CPython says what they return."""

from __future__ import annotations

import random
import re

INTS = [0, 1, 2, 3, -1, -2, 5, 7, -7, 8, 16, 31, 32, 63, 64, 100, 255, -1000, 2**31 - 1, -2**31, 2**32 - 1, 2**40]
FLOATS = [0.0, -0.0, 0.1, 0.2, 0.5, 1.0, 1.5, 2.5, -2.5, -3.75, 3.14159, 1e-7, 1e10, 1e16, 123456.789, 2.0**31]
TEXTS = ["''", "'a'", "'abc'", "'Hello'", "'a,b,c'", "' x '", "'12'", "'-3'", "'xyzxyz'"]

#: Forms of an expression by its type: `$int` is an integer, `$[+ -]` one of the two; `_` is a blank there.
FORMS = {
    "int": ["($int $[+ - * // % & | ^] $int)", "($int $[+ - *] $int)", "($int $[<< >>] $[0 3 17 40])", "($[- ~ +]$int)",
            "($int if $bool else $int)", "$[min max]($int, $int)", "$[min max]($list)", "abs($int)", "len($list)", "len($str)",
            "$list[$[0 -1]]", "sum($list)", "int($float)", "int($bool)", "($int ** $[0 1 3 5])", "($bool + $int)",
            "round($float)", "($int $[and or] $int)", "($int).bit_length()", "$str.find($str)",
            "divmod($int, $int)[$[0 1]]", "$list.$[index count]($int)", "math.gcd($int, $int)",
            "math.$[floor ceil trunc]($float)", "(lambda p, q=$int, *r, k=1: p - q * len(r) + k)($int, $int, $int, k=$int)",
            "sum(p * q for p in $list for q in $list if p $[< > !=] q)", "{'p': $int, 'q': $int}[$[_'p'_ _'q'_]]",
            "{p: p + 1 for p in $list}.get($int, $int)", "len({'p': $int, **{'p': 1, 'q': 2}})"],
    "float": ["($float $[+ - * / // %] $float)", "($float $[+ * / //] $int)", "($int / $int)", "(-$float)",
              "($float if $bool else $float)", "$[min max]($float, $int)", "abs($float)", "float($int)",
              "round($float, $[0 1 2 3])", "divmod($float, $float)[$[0 1]]", "math.sqrt(abs($float))"],
    "bool": ["($int $[< <= > >= == !=] $int)", "($int $[< <= ==] $int $[< !=] $int)", "($float $[< >= ==] $int)",
             "($bool $[and or] $bool)", "(not $int)", "(not $str)", "(not $list)", "($int $[in not_in] $list)",
             "($str $[== != < in not_in] $str)", "bool($float)", "$[any all]([$bool, $bool])",
             "$str.$[startswith endswith]($str)", "isinstance($int, $[int float str bool])",
             "isinstance($float, (int, float))", "($list $[== != <] $list)"],
    "str": ["($str + $str)", "f'{a}|{b:$[5 >6 <6 05 x b d +d ^7]}'", "f'{x:$[.2f .3e g 10.1f .0f]}{x}'", "str($int)",
            "str($float)", "str($list)", "$str.$[upper lower strip]()", "$str.replace('a', $str)",
            "$str[$[1: :2 ::-1 :-1 ::2 -2:]]", "($str * $[0 1 3])", "$str.join([$str, $str])", "$str.split(',')[0]",
            "('%d:%s' % ($int, $str))", "('%05d|%-6.2f|%x' % (abs($int), $float, abs($int)))"],
    "list": ["($list + $list)", "[i $[* + - % //] 3 for i in $list]", "([i for i in $list if i $[< >] $int] + [0])",
             "sorted($list)", "sorted($list, key=abs, reverse=$bool)", "list(reversed($list))",
             "($list[$[1: :2 ::-1 :-1 ::2 -2:]] + [1])", "(list(range($[-3 0 2], $[-2 4 7], $[1 2 -1 3])) + [2])",
             "([p + q for p, q in zip($list, $list)] + [3])", "[i * v for i, v in enumerate($list)]", "($list * $[1 2])",
             "[$int, $int]"],
}
VARIABLES = {"int": ["a", "b"], "float": ["x"], "bool": ["t"], "str": ["s"], "list": ["l"]}
#: Statements; `$block` is one or two more, further in, `$depth` how many more may follow there.
STATEMENTS = ["a = $int", "b = $int", "x = $float", "t = $bool", "s = $str", "l = $list[:8]", "a, b = $int, $int", "a = b = $int",
              "a $[+ - * // % & | ^]= $int", "x $[+ - *]= $float", "a, *r = $list + [1, 2]\nb = len(r)", "l.append($int)",
              "m = l\nl += [$int]\nb = len(m)", "s, (a, b) = $str, ($int, $int)", "[a, x] = [$int, $float]",
              "d = dict(p=$int, q=$int)\na = d['p']\nb = sorted(d.values())[0]", "if $bool:\n$block\nelse:\n$block",
              "if (c := $int) > $int:\n    a = c\n$block", "for i in list($list):\n$block\nelse:\n$block",
              "for i in range($[0 1 4]):\n$block\n    if $bool:\n        $[break continue]",
              "for i, v in enumerate(list($list)):\n    a += i * v\n$block",
              "for k, v in {'p': $int, 'q': $int}.items():\n    s += k\n    b = v",
              "n$depth = 0\nwhile n$depth < $[1 3]:\n    n$depth += 1\n$block"]


class Program:
    """A function `f(a, b, x, s, t, l)` and the arguments of a call."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        body = "\n".join(self._statement(2) for _ in range(self._random.randint(1, 4)))
        result = ", ".join(self._expression(kind, 3) for kind in self._random.sample(list(FORMS), 2))
        self.source = f"def f(a, b, x, s, t, l):\n{_further_in(body)}\n    return [a, b, x, s, t, l, {result}]\n"
        one = self._random.choice
        self.arguments = f"{one(INTS)}, {one(INTS)}, {one(FLOATS)!r}, {one(TEXTS)}, {one([True, False])}, {[one(INTS), one(INTS), 3]}"

    def _expression(self, kind: str, depth: int) -> str:
        one = self._random.choice
        if depth == 0 or self._random.random() < 0.15:
            plain = {"int": INTS, "float": FLOATS, "bool": [True, False]}
            if self._random.random() < 0.6:
                return one(VARIABLES[kind])
            return f"({one(plain[kind])!r})" if kind in plain else one(TEXTS) if kind == "str" else f"[{one(INTS)}, {one(INTS)}]"
        return self._filled(one(FORMS[kind]), depth - 1)

    def _statement(self, depth: int) -> str:
        return self._filled(self._random.choice([text for text in STATEMENTS if depth or "$block" not in text]), depth)

    def _filled(self, form: str, depth: int) -> str:
        def fill(place: re.Match) -> str:
            if place[1]:
                return self._random.choice(place[1].split()).replace("_", " ")
            if place[2] == "block":
                return _further_in("\n".join(self._statement(depth - 1) for _ in range(self._random.randint(1, 2))))
            return str(depth) if place[2] == "depth" else self._expression(place[2], depth)

        return re.sub(r"\$(?:\[([^\]]+)\]|(\w+))", fill, form)


def _further_in(text: str) -> str:
    return "\n".join("    " + line for line in text.split("\n"))
