#!/usr/bin/env python3
"""Compares what ptx-run computes of Triton's matrix products and attention with numpy.

    reference.py PTX_RUN FILE.ptx...

Prints for each file the largest error of each result, relative to its largest value, and
exits with 1 if one is above what rounding explains. Needs numpy. The kernels are those that
src/kernels/triton.rs has arguments for; their names say what they compute.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

import numpy as np

# Half-width results have 8 or 11 bits, and sums are rounded in between.
LARGEST = 0.004


def f16(data):
    return np.frombuffer(data, np.float16).astype(float)


def bf16(data):
    return (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32).astype(float)


def f32(data):
    return np.frombuffer(data, np.float32).astype(float)


def tf32(data):
    return (np.frombuffer(data, np.uint32) & np.uint32(0xFFFFE000)).view(np.float32).astype(float)


def e4m3(data):
    x = np.frombuffer(data, np.uint8).astype(int)
    power, fraction = x >> 3 & 15, (x & 7) / 8
    size = np.where(power == 0, fraction * 2.0**-6, (1 + fraction) * 2.0 ** (power - 7.0))
    return np.where(x & 128, -size, size)


def rounded(x):
    return x.astype(np.float16).astype(float)


def silu(x):
    return x / (1 + np.exp(-x))


def number(data):
    return struct.unpack("<i", data)[0]


def scale(data):
    return struct.unpack("<f", data)[0]


def launches(data):
    """What ptx-run has written: name, arguments, and buffers before and after."""
    at = 0

    def word():
        nonlocal at
        at += 4
        return struct.unpack_from("<I", data, at - 4)[0]

    def take(count):
        nonlocal at
        at += count
        return data[at - count:at]

    while at < len(data):
        name = take(word()).decode()
        for _ in range(8):  # shape, seed, blocks, threads
            word()
        arguments = [take(word()) for _ in range(word())]
        buffers = {}
        for _ in range(word()):
            argument, _, _ = word(), word(), word()
            size = word()
            buffers[argument] = take(size), take(size)
        yield name, arguments, buffers


def products(name, arguments, before, after):
    """Results and what they should be, for the kernels that multiply matrices."""
    columns = int(re.search(r"_\d+x(\d+)", name).group(1))
    if name.startswith("matmul_tma_"):
        m, n, k = map(number, arguments[15:18])
        read = e4m3 if "_fp8" in name else f16
        a, b = read(before(0)).reshape(m, k), read(before(5)).reshape(n, k)
        return [(f16(after(10)).reshape(m, n), a @ b.T)]
    if name.startswith("matmul_desc_"):
        m, n, k = map(number, arguments[3:6])
        a, b = f16(before(0)).reshape(m, k), f16(before(1)).reshape(n, k)
        return [(f16(after(2)).reshape(m, n), silu(a @ b.T))]
    if name.startswith("matmul_w4_"):
        m, n, k = map(number, arguments[4:7])
        x, s = f16(before(0)).reshape(m, k), f16(before(2)).reshape(n, k // columns)
        w = np.frombuffer(before(1), np.uint8).reshape(n, k // 2).astype(int)
        q = np.stack([(w & 15) - 8, (w >> 4) - 8], -1).reshape(n, k)
        return [(f16(after(3)).reshape(m, n), x @ rounded(q * np.repeat(s, columns, 1)).T)]
    if name.startswith("gated_mlp_"):
        m, n, k = map(number, arguments[4:7])
        x, gate, up = (bf16(before(i)).reshape(-1, k) for i in range(3))
        return [(bf16(after(3)).reshape(m, n), silu(x @ gate.T) * (x @ up.T))]
    m, n, k = map(number, arguments[3:6])
    read = tf32 if "_tf32_" in name else e4m3 if "_f8_" in name else f16
    x = read(before(0)).reshape(m, k) @ read(before(1)).reshape(k, n)
    result = (f32 if "_tf32_" in name else f16)(after(2)).reshape(m, n)
    return [(result, np.where(x >= 0, x, 0.01 * x))]


def attention(name, arguments, before, after):
    """The same for attention: its result, or the gradients of keys and values."""
    head, is_causal = int(re.search(r"_d(\d+)_", name).group(1)), "_c1" in name
    if name.startswith("flash_bwd_kv_"):
        s, length = scale(arguments[8]), number(arguments[9])
        q, k, v, do = (f16(before(i)).reshape(length, head) for i in range(4))
        lse, delta = f32(before(6)), f32(before(7))
        p = np.exp2(k @ q.T * s - lse)
        if is_causal:
            p = np.triu(p)
        ds = p * (v @ do.T - delta)
        results = f16(after(4)).reshape(length, head), f16(after(5)).reshape(length, head)
        return [(results[0], rounded(ds) @ q * s), (results[1], rounded(p) @ do)]
    places = [0, 5, 10, 15, 20, 21, 22] if name.startswith("flash_tma_") else [0, 1, 2, 3, 4, 5, 7]
    s, length = scale(arguments[places[5]]), number(arguments[places[6]])
    q, k, v = (f16(before(i)).reshape(length, head) for i in places[:3])
    x = q @ k.T * s
    if is_causal:
        x = np.where(np.tri(length, dtype=bool), x, -np.inf)
    top = x.max(1, keepdims=True)
    p = np.exp2(x - top)
    total = p.sum(1, keepdims=True)
    result = f16(after(places[3])).reshape(length, head)
    return [(result, rounded(p) @ v / total), (f32(after(places[4])), (top + np.log2(total))[:, 0])]


def error(result, expected):
    if not np.isfinite(result).all():
        return np.inf
    return np.abs(result - expected).max() / np.abs(expected).max()


def main():
    run, *files = sys.argv[1:]
    is_good = True
    for file in files:
        with tempfile.NamedTemporaryFile() as out:
            subprocess.run([run, file, out.name], check=True)
            data = out.read()
        errors = []
        for name, arguments, buffers in launches(data):
            compute = attention if name.startswith("flash_") else products
            pairs = compute(name, arguments, lambda i: buffers[i][0], lambda i: buffers[i][1])
            errors += [error(*pair) for pair in pairs]
        is_right = bool(errors) and max(errors) <= LARGEST
        is_good &= is_right
        texts = " ".join(f"{e:.1e}" for e in errors)
        print("ok" if is_right else "WRONG", os.path.basename(file), texts, flush=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
