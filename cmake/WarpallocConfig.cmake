# find_package(Warpalloc): the register allocator warpalloc in projects that clang 22 compiles.
#
# Requires: C, C++ or CUDA enabled, at least one of them with clang 22. Languages of other
# compilers are left alone; a line says so.
#
# Targets, for target_link_libraries:
#   Warpalloc::Flags     compiles C and C++ with warpalloc, and of CUDA the device side
#   Warpalloc::LTOFlags  compiles C and C++ to bitcode, and links it by lld with warpalloc
#
# warpalloc_target(TARGET [BUDGET N] [OCCUPANCY PERCENT] [CHOICES FILE])
#   Compiles the target's sources with warpalloc, with at most N registers a thread, with as
#   many as let so much of an SM's warps be resident, with the options of single functions
#   that `warpalloc tune` has found. Sources in assembly stay as they are. A changed plugin or
#   file compiles again what the target has of sources when this is called.
#
# Target check-warpalloc: compiles a small program with each of the compilers, with
# -verify-regalloc, and fails unless warpalloc has allocated it.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

# Beside this folder where it is installed, or what cargo has built.
set(Warpalloc_LIBRARY)
foreach(place IN ITEMS ../../libwarpalloc.so ../target/release/libwarpalloc.so)
  get_filename_component(place "${CMAKE_CURRENT_LIST_DIR}/${place}" ABSOLUTE)
  if(NOT Warpalloc_LIBRARY AND EXISTS "${place}")
    set(Warpalloc_LIBRARY "${place}")
  endif()
endforeach()
set(Warpalloc_CHECK "${CMAKE_CURRENT_LIST_DIR}/check.cmake")

set(Warpalloc_LANGUAGES)
set(_others)
get_property(_enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
foreach(language IN ITEMS C CXX CUDA)
  if(NOT language IN_LIST _enabled)
    continue()
  endif()
  set(_compiler "${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION}")
  if(_compiler MATCHES "^Clang 22\\.")
    list(APPEND Warpalloc_LANGUAGES ${language})
  else()
    list(APPEND _others "${language} is compiled by ${_compiler}")
  endif()
endforeach()
list(JOIN _others ", " _others)

set(Warpalloc_FOUND TRUE)
if(NOT Warpalloc_LIBRARY)
  set(Warpalloc_NOT_FOUND_MESSAGE "libwarpalloc.so is missing, two folders above ${CMAKE_CURRENT_LIST_DIR}")
elseif(NOT Warpalloc_LANGUAGES AND NOT _others)
  set(Warpalloc_NOT_FOUND_MESSAGE "none of C, CXX and CUDA is enabled: call project() or enable_language() before")
elseif(NOT Warpalloc_LANGUAGES)
  set(Warpalloc_NOT_FOUND_MESSAGE "clang 22 is needed, but ${_others}")
elseif(_others AND NOT Warpalloc_FIND_QUIETLY)
  message(STATUS "Warpalloc needs clang 22, and leaves alone what others compile: ${_others}")
endif()
if(Warpalloc_NOT_FOUND_MESSAGE)
  set(Warpalloc_FOUND FALSE)
  cmake_policy(POP)
  return()
endif()

# _warpalloc_options(RESULT OPTION...): for the languages that clang compiles, the options as
# LLVM's. Only in CUDA, where -Xarch_device is known, the host's side is left out.
function(_warpalloc_options result)
  set(options)
  foreach(language IN LISTS Warpalloc_LANGUAGES)
    foreach(option IN LISTS ARGN)
      if(language STREQUAL CUDA)
        set(option "SHELL:-Xarch_device \"-mllvm=${option}\"")
      else()
        set(option "-mllvm=${option}")
      endif()
      list(APPEND options "$<$<COMPILE_LANGUAGE:${language}>:${option}>")
    endforeach()
  endforeach()
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

# A plugin that is loaded and not chosen does nothing: so it may be there on the host's side.
list(JOIN Warpalloc_LANGUAGES "," _languages)
_warpalloc_options(Warpalloc_OPTIONS -regalloc=warpalloc)
list(PREPEND Warpalloc_OPTIONS "$<$<COMPILE_LANGUAGE:${_languages}>:-fplugin=${Warpalloc_LIBRARY}>")

if(NOT TARGET Warpalloc::Flags)
  add_library(Warpalloc::Flags INTERFACE IMPORTED)
  target_compile_options(Warpalloc::Flags INTERFACE "${Warpalloc_OPTIONS}")
endif()
if(NOT TARGET Warpalloc::LTOFlags)
  add_library(Warpalloc::LTOFlags INTERFACE IMPORTED)
  target_compile_options(Warpalloc::LTOFlags INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:-flto>")
  target_link_options(Warpalloc::LTOFlags INTERFACE -flto -fuse-ld=lld
    "-Wl,-mllvm,-load=${Warpalloc_LIBRARY}" "-Wl,-mllvm,-regalloc=warpalloc")
endif()

# _warpalloc_check_number(WHO NAME VALUE MOST): an error unless it is a number from 1 on.
function(_warpalloc_check_number who name value most)
  if(NOT value MATCHES "^[0-9]+$" OR value LESS 1 OR value GREATER most)
    message(FATAL_ERROR "${who}: ${name} is a number from 1 to ${most}, not '${value}'")
  endif()
endfunction()

function(warpalloc_target target)
  set(who "warpalloc_target(${target})")
  cmake_parse_arguments(PARSE_ARGV 1 argument "" "BUDGET;OCCUPANCY;CHOICES" "")
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "${who}: there is no target of this name")
  endif()
  if(argument_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${who}: unknown argument '${argument_UNPARSED_ARGUMENTS}'; known are BUDGET, OCCUPANCY and CHOICES")
  endif()
  if(argument_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${who}: ${argument_KEYWORDS_MISSING_VALUES} without a value")
  endif()
  set(options)
  set(files "${Warpalloc_LIBRARY}")
  if(DEFINED argument_BUDGET)
    _warpalloc_check_number("${who}" BUDGET "${argument_BUDGET}" 255)
    list(APPEND options "-nvptx-regalloc-pressure-limit=${argument_BUDGET}")
  endif()
  if(DEFINED argument_OCCUPANCY)
    _warpalloc_check_number("${who}" OCCUPANCY "${argument_OCCUPANCY}" 100)
    list(APPEND options "-nvptx-regalloc-occupancy-target=${argument_OCCUPANCY}")
  endif()
  if(DEFINED argument_CHOICES)
    get_filename_component(choices "${argument_CHOICES}" ABSOLUTE)
    get_source_file_property(made "${choices}" GENERATED)
    if(NOT EXISTS "${choices}" AND NOT made)
      message(FATAL_ERROR "${who}: the file of CHOICES is missing: ${choices}")
    endif()
    list(APPEND options "-warpalloc-choices=${choices}")
    list(APPEND files "${choices}")
  endif()
  _warpalloc_options(own ${options})
  target_compile_options("${target}" PRIVATE "${Warpalloc_OPTIONS}" ${own})

  # What is compiled with another plugin or other choices is out of date.
  get_target_property(sources "${target}" SOURCES)
  foreach(source IN LISTS sources)
    if(source AND NOT source MATCHES "\\$<")
      set_property(SOURCE "${source}" TARGET_DIRECTORY "${target}"
        APPEND PROPERTY OBJECT_DEPENDS "${files}")
    endif()
  endforeach()
endfunction()

if(NOT TARGET check-warpalloc)
  set(_compilers)
  foreach(language IN LISTS Warpalloc_LANGUAGES)
    list(APPEND _compilers "-D${language}=${CMAKE_${language}_COMPILER}")
  endforeach()
  add_custom_target(check-warpalloc
    COMMAND ${CMAKE_COMMAND} ${_compilers} "-DLIBRARY=${Warpalloc_LIBRARY}"
      "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}" -P "${Warpalloc_CHECK}"
    COMMENT "Compiling a program with warpalloc" VERBATIM)
endif()
cmake_policy(POP)
