"""Functions of any size, as LLVM IR: straight code, many blocks, nests of loops.

Each keeps so many values alive from its begin to its end and computes new ones of them.
Chance comes from a generator with a fixed seed, so a size is always the same function."""

import random

SEED = 1
OPERATIONS = ("add", "xor", "sub", "or")
# Instructions that a block, or a nest of loops of this depth, comes to.
BLOCK = 8
DEPTH, BODY = 4, 20
NEST = BODY + 6 * DEPTH


def header(name, live):
    """The beginning: every value is loaded. The names of the values."""
    values = [f"%v{number}" for number in range(live)]
    loads = [f"  {value} = load volatile i64, ptr %p" for value in values]
    return [f"define void @{name}(ptr %p) {{", "entry:", *loads], values


def footer(values):
    """The end: every value is stored."""
    return [*(f"  store volatile i64 {value}, ptr %p" for value in values), "  ret void", "}"]


def straight(size, live):
    """One block in which each instruction gives one of the values another content."""
    chance = random.Random(SEED)
    text, values = header("straight", live)
    for number in range(size):
        first, second = (chance.randrange(live) for _ in range(2))
        operation = chance.choice(OPERATIONS)
        text.append(f"  %w{number} = {operation} i64 {values[first]}, {values[second]}")
        values[first] = f"%w{number}"
    return text + footer(values)


def blocks(size, live):
    """A chain of branches, each around a block that gives a value another content."""
    chance = random.Random(SEED)
    text, values = header("blocks", live)
    count = max(1, size // BLOCK)
    text.append("  br label %b0")
    for block in range(count):
        first, second, third = (chance.randrange(live) for _ in range(3))
        text += [
            f"b{block}:",
            f"  %c{block} = icmp slt i64 {values[first]}, {values[second]}",
            f"  br i1 %c{block}, label %t{block}, label %j{block}",
            f"t{block}:",
            f"  %x{block} = add i64 {values[third]}, {values[second]}",
            f"  %y{block} = xor i64 %x{block}, {values[first]}",
            f"  store volatile i64 %y{block}, ptr %p",
            f"  br label %j{block}",
            f"j{block}:",
            f"  %w{block} = phi i64 [ {values[first]}, %b{block} ], [ %y{block}, %t{block} ]",
            f"  br label %b{block + 1}",
        ]
        values[first] = f"%w{block}"
    return [*text, f"b{count}:", *footer(values)]


def nests(size, live):
    """Nests of loops one behind the other, all values alive around them."""
    chance = random.Random(SEED)
    text, values = header("nests", live)
    count = max(1, size // NEST)
    text.append("  br label %n0")
    for nest in range(count):
        text += nest_of_loops(nest, values, chance)
    return [*text, f"n{count}:", *footer(values)]


def nest_of_loops(nest, values, chance):
    """One nest: `n` before it, `h` and `l` the ends of each loop, a body in the innermost."""
    text = [f"n{nest}:", f"  br label %h{nest}_0"]
    for depth in range(DEPTH):
        before = f"h{nest}_{depth - 1}" if depth else f"n{nest}"
        inner = f"h{nest}_{depth + 1}" if depth + 1 < DEPTH else f"body{nest}"
        text += [
            f"h{nest}_{depth}:",
            f"  %i{nest}_{depth} = phi i64 [ 0, %{before} ], [ %k{nest}_{depth}, %l{nest}_{depth} ]",
            f"  br label %{inner}",
        ]
    names = [*values, *(f"%i{nest}_{depth}" for depth in range(DEPTH))]
    last = chance.choice(names)
    text.append(f"body{nest}:")
    for number in range(BODY):
        operation, other = chance.choice(OPERATIONS), chance.choice(names)
        text.append(f"  %t{nest}_{number} = {operation} i64 {last}, {other}")
        last = f"%t{nest}_{number}"
    text += [f"  store volatile i64 {last}, ptr %p", f"  br label %l{nest}_{DEPTH - 1}"]
    for depth in reversed(range(DEPTH)):
        outer = f"l{nest}_{depth - 1}" if depth else f"n{nest + 1}"
        text += [
            f"l{nest}_{depth}:",
            f"  %k{nest}_{depth} = add i64 %i{nest}_{depth}, 1",
            f"  %e{nest}_{depth} = icmp slt i64 %k{nest}_{depth}, {values[depth]}",
            f"  br i1 %e{nest}_{depth}, label %h{nest}_{depth}, label %{outer}",
        ]
    return text


SHAPES = {"straight": straight, "blocks": blocks, "nests": nests}
