"""Gives a function of llvm-stress defined behaviour: standard input to output.

Such a function divides by zero, shifts too far, reads what was never written and
loops for ever. Its result would depend on the allocator. Here

- lanes taken from nowhere (poison in a shuffle's mask) are lane 0, and indices of
  lanes, distances of shifts and divisors are forced into their range;
- floating-point results that are not numbers become zero, since which of two NaNs
  an addition returns is not defined; conversions to integers become comparisons;
- local variables are as large as the largest value and filled with a pattern;
- after a thousand conditional branches all go the second way.
"""

import re
import sys

WIDEST = 256  # bytes: <16 x i64>, twice
VECTOR = re.compile(r"<(\d+) x (\w+)>")


def split(text):
    """Splits at the commas that are not within brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "<([{") - (c in ">)]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def first_type(text):
    """The type that the text begins with, and the rest."""
    return re.match(r"(<[^<>]*>|\w+) (.*)", text).groups()


def constant(type, value):
    """The integer constant, in every lane of a vector type."""
    vector = VECTOR.match(type)
    return f"splat ({vector[2]} {value})" if vector else str(value)


def bits(type):
    return int(re.search(r"i(\d+)>?$", type)[1])


def lane(name, vector, index):
    """An index of a lane in range: lines before, and the index."""
    lanes = int(VECTOR.match(vector)[1])
    value = index.split()[1]
    if not value.startswith("%"):
        return [], f"i32 {int(value) % lanes}"
    return [f"{name}.lane = and i32 {value}, {lanes - 1}"], f"i32 {name}.lane"


def number(name, type):
    """Makes NAME from NAME.raw: zero if that is not a number."""
    vector = VECTOR.match(type)
    condition = f"<{vector[1]} x i1>" if vector else "i1"
    return [
        f"{name}.ordered = fcmp ord {type} {name}.raw, zeroinitializer",
        f"{name} = select {condition} {name}.ordered, {type} {name}.raw, {type} zeroinitializer",
    ]


def value(name, op, rest):
    """The lines that stand for "NAME = OP REST"."""
    if op == "alloca":
        return [
            f"{name} = alloca [{WIDEST} x i8], align 16",
            f"call void @llvm.memset.p0.i64(ptr {name}, i8 {len(name) * 37 % 128}, "
            f"i64 {WIDEST}, i1 false)",
        ]
    if op == "extractelement":
        vector, index = split(rest)
        before, index = lane(name, vector, index)
        return before + [f"{name} = extractelement {vector}, {index}"]
    if op == "insertelement":
        vector, element, index = split(rest)
        before, index = lane(name, vector, index)
        return before + [f"{name} = insertelement {vector}, {element}, {index}"]
    if op in ("shl", "lshr", "ashr"):
        type, operands = first_type(rest)
        left, right = split(operands)
        return [
            f"{name}.by = and {type} {right}, {constant(type, bits(type) - 1)}",
            f"{name} = {op} {type} {left}, {name}.by",
        ]
    if op in ("udiv", "sdiv", "urem", "srem"):
        type, operands = first_type(rest)
        left, right = split(operands)
        if bits(type) == 1:
            return [f"{name} = xor {type} {left}, {right}"]
        return [
            f"{name}.positive = lshr {type} {right}, {constant(type, 1)}",
            f"{name}.by = or {type} {name}.positive, {constant(type, 1)}",
            f"{name} = {op} {type} {left}, {name}.by",
        ]
    if op in ("fadd", "fsub", "fmul", "fdiv", "frem"):
        return [f"{name}.raw = {op} {rest}"] + number(name, first_type(rest)[0])
    if op in ("fptrunc", "fpext"):
        return [f"{name}.raw = {op} {rest}"] + number(name, rest.split(" to ")[1])
    if op in ("fptosi", "fptoui"):
        operand, to = rest.split(" to ")
        compare = f"fcmp ogt {operand}, zeroinitializer"
        if bits(to) == 1:
            return [f"{name} = {compare}"]
        vector = VECTOR.match(to)
        bit = f"<{vector[1]} x i1>" if vector else "i1"
        return [f"{name}.bit = {compare}", f"{name} = zext {bit} {name}.bit to {to}"]
    return [f"{name} = {op} {rest}"]


def branch(number, condition, targets):
    name = f"%fuel{number}"
    return [
        f"{name} = load i32, ptr @fuel",
        f"{name}.less = sub i32 {name}, 1",
        f"store i32 {name}.less, ptr @fuel",
        f"{name}.left = icmp sgt i32 {name}, 0",
        f"{name}.go = and i1 {name}.left, {condition}",
        f"br i1 {name}.go, {targets}",
    ]


def main():
    print("@fuel = internal global i32 1000")
    print("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
    branches = 0
    for line in sys.stdin:
        line = re.sub(r"\s*;.*", "", line.rstrip("\n"))
        if "shufflevector" in line:
            line = re.sub(r"<1 x i32> poison$", "<1 x i32> zeroinitializer", line)
            line = line.replace("i32 poison", "i32 0")
        line = re.sub(r"align (\d+)", lambda m: f"align {min(int(m[1]), 16)}", line)
        lines = [line.strip()]
        if found := re.match(r"\s+(%\w+) = (\w+) (.*)", line):
            lines = value(*found.groups())
        elif found := re.match(r"\s+br i1 ([^,]+), (.*)", line):
            branches += 1
            lines = branch(branches, found[1], found[2])
        print("\n".join(lines))


main()
