//===- Options.h - The command line -----------------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_OPTIONS_H
#define WARPALLOC_SHIM_OPTIONS_H

#include "warpalloc_abi.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warpalloc {

/// What the user asked for. The strings belong to the command line, except that
/// of the knobs: it is put together in \p JoinedKnobs.
WarpallocOptions getOptions(std::string &JoinedKnobs);

/// Whether the command line says `-regalloc=warpalloc`. Targets that have no
/// allocator do not look at the option themselves.
bool isSelected();

/// Whether the command line says `-warpalloc-prepare`.
bool isPreparationRequested();

/// The names of those of our options that the command line has, sorted.
std::vector<llvm::StringRef> getGivenOptions();

/// Has LLVM prepare functions for an allocator other than its fast one at -O0
/// too, unless the command line decides that by `-optimize-regalloc`.
void requestOptimizedAllocation();

/// The file with options of single functions; null if there is none.
const char *getChoicesFile();

/// Whether the hash of each function's code is printed.
bool printsHashes();

/// For tests: whether no operand is folded, whatever the target says.
bool refusesFolds();

} // namespace warpalloc

#endif
