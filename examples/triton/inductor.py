"""Compiles a matrix product with torch.compile, and prints whose code the kernels have that
Inductor has made for it, and how many of their instructions go to local memory."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import warnings

import torch
import triton


def model():
    a, b = (torch.empty(4096, 4096, device="cuda") for _ in range(2))
    return torch.nn.functional.gelu(a @ b)


def main():
    # Products by Triton's templates alone, which are compiled as they are.
    options = {
        "max_autotune_gemm": True,
        "max_autotune_gemm_backends": "TRITON",
        "benchmark_epilogue_fusion": False,
        "autotune_num_choices_displayed": 0,
        "max_autotune_report_choices_stats": False,
    }
    # The product is to be of single precision.
    warnings.filterwarnings("ignore", "TensorFloat32")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
        torch.compile(model, options=options)()
        for file in sorted(pathlib.Path(folder).rglob("*.cubin")):
            metadata = json.loads(file.with_suffix(".json").read_text())
            owner = "warpalloc's" if metadata.get("warpalloc_used") else "Triton's"
            listing = [triton.knobs.nvidia.nvdisasm.path, "-c", str(file)]
            code = subprocess.run(listing, check=True, capture_output=True, text=True).stdout
            local = len(re.findall(r"\b(?:LDL|STL)\b", code))
            print(f"{metadata['name']}: {owner} code, {local} accesses to local memory")


if __name__ == "__main__":
    main()
