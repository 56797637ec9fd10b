#!/usr/bin/env python3
"""Prints one huge LLVM function, or very many, to measure an allocator on.

usage: huge_function.py SHAPE SIZE [LIVE]

SIZE is the number of instructions or blocks, LIVE the number of values that are
live at once (for the shapes that let one choose). The shapes:

  straight   one block of SIZE instructions
  ifs        a chain of SIZE / 3 ifs with an else
  crossing   the same, and LIVE values live across all of it
  updates    SIZE / 8 ifs without an else, each gives one of LIVE values another content
  switch     a switch with SIZE cases
  mesh       SIZE blocks with two far successors each: irreducible, no layout fits
  loops      SIZE / 4 nests of two loops, one after the other
  functions  not one function, but SIZE straight ones of 3 x LIVE instructions

The code is the same for every target; the caller gives the triple to llc. Loads
and stores are volatile, so that nothing is folded away or moved together.
"""

import sys


def load(name, index):
    print(f"  %{name}.p = getelementptr i32, ptr %p, i64 {index}")
    print(f"  %{name} = load volatile i32, ptr %{name}.p")


def store(value, index):
    print(f"  %{value}.q{index} = getelementptr i32, ptr %p, i64 {index}")
    print(f"  store volatile i32 %{value}, ptr %{value}.q{index}")


def operation(number):
    return ("add", "xor", "mul", "sub")[number % 4]


def straight(size, live):
    for i in range(live):
        load(f"v{i}", i)
    for i in range(live, size):
        # The oldest value dies, a new one begins.
        print(f"  %v{i} = {operation(i)} i32 %v{i - live}, %v{i - 1}")
    for i in range(size - live, size):
        store(f"v{i}", i % live)
    print("  ret void")


def chain(size, live):
    """Ifs that rotate a few values, below `live` values that only wait."""
    for i in range(live):
        load(f"w{i}", i)
    values = []
    for i in range(4):
        load(f"a{i}", live + i)
        values.append(f"a{i}")
    before = "entry"
    print("  br label %if0")
    for i in range(size // 3):
        a, b, c, d = values
        print(f"if{i}:")
        print(f"  %c{i} = icmp slt i32 %{a}, %{b}")
        print(f"  br i1 %c{i}, label %then{i}, label %else{i}")
        print(f"then{i}:")
        print(f"  %t{i} = {operation(i)} i32 %{a}, %{c}")
        store(f"t{i}", 0)
        print(f"  br label %end{i}")
        print(f"else{i}:")
        print(f"  %e{i} = {operation(i + 1)} i32 %{b}, %{d}")
        store(f"e{i}", 1)
        print(f"  br label %end{i}")
        print(f"end{i}:")
        print(f"  %x{i} = phi i32 [ %t{i}, %then{i} ], [ %e{i}, %else{i} ]")
        print(f"  br label %if{i + 1}")
        values = [b, c, d, f"x{i}"]
    print(f"if{size // 3}:")
    for value in values:
        store(value, 2)
    for i in range(live):
        store(f"w{i}", i)
    print("  ret void")


def updates(size, live):
    values = [f"v{i}" for i in range(live)]
    for i, value in enumerate(values):
        load(value, i)
    print("  br label %if0")
    for i in range(size // 8):
        a, b, c = i % live, (7 * i + 3) % live, (11 * i + 1) % live
        print(f"if{i}:")
        print(f"  %c{i} = icmp slt i32 %{values[a]}, %{values[b]}")
        print(f"  br i1 %c{i}, label %then{i}, label %end{i}")
        print(f"then{i}:")
        print(f"  %s{i} = {operation(i)} i32 %{values[c]}, %{values[b]}")
        print(f"  %t{i} = xor i32 %s{i}, %{values[a]}")
        store(f"t{i}", 0)
        print(f"  br label %end{i}")
        print(f"end{i}:")
        print(f"  %x{i} = phi i32 [ %{values[a]}, %if{i} ], [ %t{i}, %then{i} ]")
        print(f"  br label %if{i + 1}")
        values[a] = f"x{i}"
    print(f"if{size // 8}:")
    for i, value in enumerate(values):
        store(value, i)
    print("  ret void")


def switch(size, _):
    for i in range(8):
        load(f"a{i}", i)
    print("  switch i32 %a0, label %end [")
    for i in range(size):
        print(f"    i32 {i}, label %case{i}")
    print("  ]")
    for i in range(size):
        print(f"case{i}:")
        print(f"  %x{i} = {operation(i)} i32 %a{1 + i % 7}, %a{1 + i // 7 % 7}")
        print(f"  %y{i} = {operation(i // 3)} i32 %x{i}, {2 * i + 3}")
        store(f"y{i}", i % 64)
        print("  br label %end")
    print("end:")
    print("  %z = phi i32 [ 0, %entry ]", end="")
    for i in range(size):
        print(f", [ %x{i}, %case{i} ]", end="")
    print()
    store("z", 0)
    print("  ret void")


def mesh(size, _):
    for i in range(8):
        load(f"a{i}", i)
    print("  %c = icmp slt i32 %a0, %a1")
    print(f"  br i1 %c, label %b0, label %b{size // 2}")
    for i in range(size):
        load_name = f"l{i}"
        print(f"b{i}:")
        load(load_name, i % 64)
        print(f"  %x{i} = {operation(i)} i32 %{load_name}, %a{i % 8}")
        store(f"x{i}", i % 32)
        print(f"  %c{i} = icmp slt i32 %x{i}, {i}")
        near, far = (i * 7 + 1) % size, (i * 11 + 5) % size
        other = "end" if i % 100 == 99 else f"b{far}"
        print(f"  br i1 %c{i}, label %b{near}, label %{other}")
    print("end:")
    store("a7", 0)
    print("  ret void")


def loops(size, live):
    for i in range(live):
        load(f"w{i}", i)
    print("  br label %o0")
    before = "entry"
    for i in range(size // 4):
        print(f"o{i}:")
        print(f"  %i{i} = phi i32 [ 0, %{before} ], [ %in{i}, %l{i} ]")
        print(f"  br label %n{i}")
        print(f"n{i}:")
        print(f"  %j{i} = phi i32 [ %i{i}, %o{i} ], [ %jn{i}, %n{i} ]")
        print(f"  %jw{i} = {operation(i)} i32 %j{i}, %w{i % live}")
        store(f"jw{i}", 0)
        print(f"  %jn{i} = add i32 %j{i}, 3")
        print(f"  %jc{i} = icmp slt i32 %jn{i}, %w{(i + 1) % live}")
        print(f"  br i1 %jc{i}, label %n{i}, label %l{i}")
        print(f"l{i}:")
        print(f"  %in{i} = add i32 %i{i}, 1")
        print(f"  %ic{i} = icmp slt i32 %in{i}, 100")
        print(f"  br i1 %ic{i}, label %o{i}, label %e{i}")
        print(f"e{i}:")
        print(f"  br label %{'end' if i == size // 4 - 1 else f'o{i + 1}'}")
        before = f"e{i}"
    print("end:")
    for i in range(live):
        store(f"w{i}", i)
    print("  ret void")


SHAPES = {
    "straight": straight,
    "ifs": lambda size, _: chain(size, 0),
    "crossing": chain,
    "updates": updates,
    "switch": switch,
    "mesh": mesh,
    "loops": loops,
}


def main():
    shape, size = sys.argv[1], int(sys.argv[2])
    live = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    if shape == "functions":
        for i in range(size):
            print(f"define void @f{i}(ptr %p) {{\nentry:")
            straight(3 * live, live)
            print("}")
        return
    print("define void @huge(ptr %p) {\nentry:")
    SHAPES[shape](size, live)
    print("}")


main()
