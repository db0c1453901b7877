# Finds LLVM and MLIR 22 and defines `tegula_llvm`: their static archives as one linker group.
#
# The exported CMake targets of the packages pull in the shared libraries, hence archives by path.

find_program(TEGULA_LLVM_CONFIG NAMES llvm-config-22 PATHS /usr/lib/llvm-22/bin REQUIRED)
execute_process(COMMAND ${TEGULA_LLVM_CONFIG} --prefix OUTPUT_VARIABLE TEGULA_LLVM_PREFIX
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(MLIR_DIR ${TEGULA_LLVM_PREFIX}/lib/cmake/mlir)
set(LLVM_DIR ${TEGULA_LLVM_PREFIX}/lib/cmake/llvm)
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "expected LLVM 22, found ${LLVM_VERSION}")
endif()

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# Programs that generate code, and how CMake calls them, are this machine's; headers and archives those of the machine that
# the build is for.
set(_prefix ${TEGULA_LLVM_PREFIX})
if(CMAKE_SYSROOT)
  set(_prefix ${CMAKE_SYSROOT}${TEGULA_LLVM_PREFIX})
  set(LLVM_INCLUDE_DIRS ${_prefix}/include)
  set(MLIR_INCLUDE_DIRS ${_prefix}/include)
endif()

file(GLOB _mlir_archives ${_prefix}/lib/libMLIR*.a)
list(FILTER _mlir_archives EXCLUDE REGEX "MLIRMlirOptMain|MLIRCAPI|ExecutionEngine|MLIRTest|JitRunner")
file(GLOB _llvm_archives ${_prefix}/lib/libLLVM*.a)
list(FILTER _llvm_archives EXCLUDE REGEX
     "libLLVM(AArch64|AMDGPU|ARM|AVR|BPF|Hexagon|Lanai|LoongArch|M68k|MSP430|Mips|PowerPC|RISCV|SPIRV|Sparc|SystemZ|VE|WebAssembly|X86|XCore|Xtensa)")

# Static too: the packaged binaries need nothing but the C library.
find_library(TEGULA_ZLIB NAMES libz.a z REQUIRED)
find_library(TEGULA_ZSTD NAMES libzstd.a zstd REQUIRED)

add_library(tegula_llvm INTERFACE)
target_include_directories(tegula_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_link_libraries(tegula_llvm INTERFACE
  -Wl,--start-group ${_mlir_archives} ${_llvm_archives} -Wl,--end-group ${TEGULA_ZLIB} ${TEGULA_ZSTD} pthread dl m)
