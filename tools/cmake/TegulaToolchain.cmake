# Compiler launcher, linker and flags for everything of ours.

find_program(TEGULA_CCACHE ccache)
if(TEGULA_CCACHE)
  # Precompiled headers are cached only when their time stamps and macros are ignored. Paths are taken from
  # the source folder and precompiled headers known by their text, so that all build folders of all checkouts share
  # what one of them has compiled.
  set(_launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${TEGULA_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${_launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${_launcher})
endif()

find_program(TEGULA_LLD NAMES ld.lld-22 ld.lld PATHS /usr/lib/llvm-22/bin)
if(TEGULA_LLD)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_link_options(--ld-path=${TEGULA_LLD})
  else()
    add_link_options(-fuse-ld=lld)
  endif()
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffunction-sections -fdata-sections)
add_compile_options(-fvisibility=hidden -fvisibility-inlines-hidden)
add_link_options(-Wl,--gc-sections)
# Functions of equal code are one: an eighth of the compiler. Nothing asks which function has an address; MLIR's
# identities are addresses of variables, which stay apart.
if(TEGULA_LLD)
  add_link_options($<$<CONFIG:Release>:-Wl,--icf=all>)
endif()
# What the keys of the disk cache begin with (runtime/jit/files/BuildId).
add_link_options(-Wl,--build-id=sha1)
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  # The same code and the same numbers on every host: no fused multiply-add where the machine has one.
  add_compile_options(-ffp-contract=off)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-Wno-missing-field-initializers -Xclang -fno-pch-timestamp)
endif()
if(CMAKE_BUILD_TYPE STREQUAL Release)
  # -O2 and no debug information; our own assertions stay on in Debug.
  string(REPLACE -O3 -O2 CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endif()

if(TEGULA_SANITIZE)
  # The LLVM archives are not instrumented, so container-overflow checks would misfire, and vptr
  # checks need type information across that border. The driver's functions are called by our own declarations,
  # whose types have other names than those it was compiled with.
  set(TEGULA_SANITIZE_FLAGS "-fsanitize=${TEGULA_SANITIZE} -fno-sanitize=vptr,function")
  separate_arguments(_flags UNIX_COMMAND "${TEGULA_SANITIZE_FLAGS}")
  add_compile_options(${_flags} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(${_flags})
endif()
