# Toolchain file: builds for Linux on aarch64, with the compiler of this machine against Debian's arm64 packages, which
# `tools/sysroot aarch64` unpacks. What the build runs of its own results, and the tests, qemu's user mode runs.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

get_filename_component(TEGULA_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot-aarch64 ABSOLUTE)
set(CMAKE_SYSROOT ${TEGULA_SYSROOT})
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
# The linker and what reads and strips objects are LLVM's, which know every architecture.
foreach(linker EXE SHARED MODULE)
  set(CMAKE_${linker}_LINKER_FLAGS_INIT --ld-path=/usr/lib/llvm-22/bin/ld.lld)
endforeach()
foreach(tool AR RANLIB NM STRIP OBJCOPY OBJDUMP READELF)
  string(TOLOWER ${tool} name)
  set(CMAKE_${tool} /usr/lib/llvm-22/bin/llvm-${name} CACHE FILEPATH "")
endforeach()

# Programs are this machine's; headers, libraries and packages the other one's.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${TEGULA_SYSROOT})
