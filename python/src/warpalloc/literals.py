"""Makes LLVM 22 read floating-point literals as LLVM 23 and later print them.

These print `f0x` and the bits in the width of the type, `+inf`, `-qnan`, `+nan(0x1)` and the
like, and read decimals that are not exact. LLVM 22 knows only exact decimals and the forms
`0x` (a float or double, as the bits of a double), `0xH` (half) and `0xR` (bfloat). Everything
else of the IR stays as it is, letter by letter; what LLVM 22 reads stays as well.
"""

import fractions
import re

# Of each type: bits of the fraction, bits of the exponent, prefix in LLVM 22.
FORMATS = {
    "half": (10, 5, "0xH"),
    "bfloat": (7, 8, "0xR"),
    "float": (23, 8, "0x"),
    "double": (52, 11, "0x"),
}

# What has literals or hides them, in the order in which a reader tries. Strings, comments and
# names are taken whole, so that nothing within them is a literal.
TOKENS = re.compile(
    r"""
    (?P<skipped> "[^"]*" | ;[^\n]* | [%@$!\#][-\w.$]* )
  | (?P<end> \n )
  | (?P<type> \b(?:half|bfloat|float|double|fp128|x86_fp80|ppc_fp128)\b )
  | (?P<bits> \bf0x(?P<digits>[0-9A-Fa-f]+)\b )
  | (?P<special> (?<![\w.])(?P<sign>[+-])(?P<kind>inf|qnan|nan|snan)
        (?![-\w.$]) (?:\(0x(?P<payload>[0-9A-Fa-f]+)\))? )
  | (?P<decimal> (?<![\w.])[+-]?[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?(?![\w.]) )
    """,
    re.VERBOSE,
)


class UnreadableError(ValueError):
    """A literal that LLVM 22 has no form for."""


def for_llvm_22(ir):
    """The same IR with literals that LLVM 22 reads.

    Raises UnreadableError where a literal has no type before it in its line, or none of
    `FORMATS`.
    """
    kind = None

    def replaced(match):
        nonlocal kind
        text = match.group()
        if match["end"]:
            kind = None
        elif match["type"]:
            kind = text
        elif match["bits"]:
            return _written(_format(kind, text), _checked_bits(kind, match["digits"], text), kind)
        elif match["special"]:
            return _written(_format(kind, text), _special(kind, match), kind)
        elif match["decimal"] and kind in FORMATS and kind != "double":
            bits, exact = nearest(fractions.Fraction(text), text.startswith("-"), kind)
            return text if exact else _written(FORMATS[kind], bits, kind)
        return text

    return TOKENS.sub(replaced, ir)


def nearest(value, negative, kind):
    """The bits of the number of a type that is nearest to a fraction (of two, the even one),
    and whether it is equal. What is too large becomes infinity."""
    fraction_bits, exponent_bits, _ = FORMATS[kind]
    bias = (1 << (exponent_bits - 1)) - 1
    sign = int(negative) << (fraction_bits + exponent_bits)
    magnitude = abs(value)
    if magnitude == 0:
        return sign, True
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if fractions.Fraction(2) ** exponent > magnitude:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    unit = fractions.Fraction(2) ** (exponent - fraction_bits)
    # round() goes to the even one.
    steps = round(magnitude / unit)
    exact = steps * unit == magnitude
    # A carry out of the fraction goes into the exponent by itself; a number without the
    # leading bit has the exponent 0.
    bits = ((exponent + bias - 1) << fraction_bits) + steps
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    return sign | min(bits, infinity), exact and bits < infinity


def _format(kind, text):
    if kind in FORMATS:
        return FORMATS[kind]
    where = f"of type {kind}" if kind else "without a type"
    raise UnreadableError(f"LLVM 22 has no form for the literal {text} {where}")


def _checked_bits(kind, digits, text):
    fraction_bits, exponent_bits, _ = FORMATS[kind]
    if len(digits) * 4 != 1 + fraction_bits + exponent_bits:
        raise UnreadableError(f"the literal {text} has not as many bits as {kind}")
    return int(digits, 16)


def _special(kind, match):
    """The bits of an infinity or of a NaN; `nan` and `snan` have the fraction with them."""
    fraction_bits, exponent_bits, _ = FORMATS[kind]
    quiet = 1 << (fraction_bits - 1)
    payload = int(match["payload"], 16) if match["payload"] else None
    fraction = {
        "inf": 0 if payload is None else None,
        "qnan": quiet if payload is None else None,
        "nan": payload | quiet if payload is not None and payload >> fraction_bits == 0 else None,
        "snan": payload if payload is not None and 0 < payload < quiet else None,
    }[match["kind"]]
    if fraction is None:
        raise UnreadableError(f"the literal {match.group()} is none of {kind}")
    exponent = ((1 << exponent_bits) - 1) << fraction_bits
    sign = int(match["sign"] == "-") << (fraction_bits + exponent_bits)
    return sign | exponent | fraction


def _written(form, bits, kind):
    """Bits as LLVM 22 reads them."""
    fraction_bits, exponent_bits, prefix = form
    if kind == "float":
        return f"{prefix}{_as_double(bits):016X}"
    return f"{prefix}{bits:0{(1 + fraction_bits + exponent_bits) // 4}X}"


def _as_double(bits):
    """The bits of the double that is equal to a float, a NaN with the same fraction in front."""
    sign, exponent, fraction = bits >> 31, bits >> 23 & 0xFF, bits & 0x7FFFFF
    if exponent == 0xFF:
        exponent = 0x7FF
    elif exponent or not fraction:
        exponent = exponent + 896 if exponent else 0
    else:
        # Doubles have room for what floats have no leading bit for.
        shift = 24 - fraction.bit_length()
        exponent, fraction = 897 - shift, fraction << shift & 0x7FFFFF
    return sign << 63 | exponent << 52 | fraction << 29
