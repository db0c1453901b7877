# The kinds of target this project has.
#
#   tegula_library(NAME [MLIR] SOURCES ... [LINK ...] [DEPENDS ...])   a static library of one folder
#   tegula_tablegen(NAME FILE.td OUTPUT FLAG... ...)                   generated code next to its source,
#                                                                      and its page in tegula-docs
#   tegula_language(OUTPUTS DEPENDS WORD ...)                          code from the language's description
#   tegula_unit_test(NAME SOURCES ... [LINK ...] [MLIR])               one GoogleTest binary a folder

# The headers that every MLIR translation unit parses, compiled once: 11 s become 2 s a file.
add_library(tegula_pch OBJECT ${PROJECT_SOURCE_DIR}/tools/cmake/Precompiled.cpp)
target_link_libraries(tegula_pch PRIVATE tegula_llvm)
target_precompile_headers(tegula_pch PRIVATE ${PROJECT_SOURCE_DIR}/tools/cmake/Precompiled.h)
set_target_properties(tegula_pch PROPERTIES CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/tools/cmake/precompile)

function(tegula_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_MLIR)
    target_link_libraries(${name} PUBLIC tegula_llvm)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      # REUSE_FROM names the header by its full path, which would keep checkouts from sharing objects.
      set(header CMakeFiles/tegula_pch.dir/cmake_pch.hxx.pch)
      target_compile_options(${name} PRIVATE "SHELL:-include-pch ${header}")
      set_source_files_properties(${ARG_SOURCES} PROPERTIES OBJECT_DEPENDS ${PROJECT_BINARY_DIR}/${header})
    else()
      target_precompile_headers(${name} REUSE_FROM tegula_pch)
    endif()
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# tegula_language(OUTPUTS DEPENDS WORD...): files that compiler/frontend/language.py makes of the language's description
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(TEGULA_FRONTEND ${PROJECT_SOURCE_DIR}/compiler/frontend)
function(tegula_language outputs depends)
  add_custom_command(OUTPUT ${outputs}
    COMMAND Python3::Interpreter ${TEGULA_FRONTEND}/language.py ${ARGN}
    DEPENDS ${TEGULA_FRONTEND}/language.py ${depends} VERBATIM)
endfunction()
file(GLOB TEGULA_DESCRIPTIONS CONFIGURE_DEPENDS ${TEGULA_FRONTEND}/builtins/*/*.pyi ${TEGULA_FRONTEND}/library/*.py)

# tegula_tablegen(tile_ops_gen TileOps.td TileOps.h.inc -gen-op-decls TileOps.cpp.inc -gen-op-defs)
function(tegula_tablegen name file)
  set(LLVM_TARGET_DEFINITIONS ${file})
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs output flags)
    separate_arguments(flags)
    mlir_tablegen(${output} ${flags} EXTRA_INCLUDES ${PROJECT_SOURCE_DIR} ${MLIR_INCLUDE_DIRS})
  endwhile()
  add_public_tablegen_target(${name})
  _tegula_reference(${file} "${ARGN}")
endfunction()

# The reference pages: `tegula-docs` writes one for each dialect and each folder of passes to docs/ in
# the build tree.
add_custom_target(tegula-docs)
function(_tegula_reference file flags)
  if(flags MATCHES "-gen-op-decls" AND flags MATCHES "-dialect=([a-z]+)")
    set(kind -gen-dialect-doc -dialect=${CMAKE_MATCH_1})
  elseif(flags MATCHES "-gen-pass-decls")
    set(kind -gen-pass-doc)
  else()
    return()
  endif()
  file(RELATIVE_PATH page ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE / - page ${page})
  set(page ${PROJECT_BINARY_DIR}/docs/${page}.md)
  file(GLOB definitions CONFIGURE_DEPENDS *.td)
  set(includes ${PROJECT_SOURCE_DIR} ${MLIR_INCLUDE_DIRS})
  list(TRANSFORM includes PREPEND -I)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/docs
    COMMAND ${MLIR_TABLEGEN_EXE} ${kind} ${includes} ${CMAKE_CURRENT_SOURCE_DIR}/${file} -o ${page}
    DEPENDS ${definitions} VERBATIM)
  string(MD5 id ${page})
  add_custom_target(tegula-docs-${id} DEPENDS ${page})
  add_dependencies(tegula-docs tegula-docs-${id})
endfunction()

function(tegula_unit_test name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE TEGULA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(ARG_MLIR)
    target_link_libraries(${name} PRIVATE tegula_llvm)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS quick)
endfunction()
