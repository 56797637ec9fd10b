# The target check-warpalloc: compiles a small function with each compiler, its allocation
# verified, and fails unless the statistics say that warpalloc was at work. For CUDA the
# function is a kernel, compiled to PTX: neither headers nor libraries of CUDA are needed, by
# whose version clang would choose that of PTX.
#
# cmake -D LANGUAGE=COMPILER ... -D LIBRARY=FILE -D FOLDER=FOLDER -P check.cmake
set(C_source "int checked(int a, int b) { while (a) { a -= b; b += a * b; } return b; }\n")
set(C_options -x c)
set(CXX_source "extern \"C\" ${C_source}")
set(CXX_options -x c++)
set(CUDA_source "extern \"C\" __attribute__((global)) void checked(int *a) { *a += 1; }\n")
set(CUDA_options -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_75
  -Xclang -target-feature -Xclang +ptx70)

foreach(language IN ITEMS C CXX CUDA)
  if(NOT ${language})
    continue()
  endif()
  set(source "${FOLDER}/check-warpalloc.${language}")
  file(WRITE "${source}" "${${language}_source}")
  execute_process(
    COMMAND "${${language}}" "-fplugin=${LIBRARY}" -mllvm=-regalloc=warpalloc -mllvm=-verify-regalloc
      -mllvm=-print-regalloc-stats ${${language}_options} -O2 -S "${source}" -o "${source}.s"
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0 OR NOT said MATCHES "warpalloc: function=checked ")
    message(FATAL_ERROR "check-warpalloc: ${language}, ${${language}}: warpalloc did not allocate a function; status ${status}\n${said}")
  endif()
  message(STATUS "check-warpalloc: ${language}: warpalloc allocates, and what it does is verified")
endforeach()
