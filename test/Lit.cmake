# One ctest test for each folder that holds lit tests, found by its files: `lit.dialect.tile` runs
# test/dialect/tile/*.mlir and *.test. Folders need no CMake of their own.

configure_file(lit.site.cfg.py.in lit.site.cfg.py @ONLY)

file(GLOB_RECURSE _lit_files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.mlir *.test)
list(FILTER _lit_files EXCLUDE REGEX "(^|/)Inputs/")
set(_lit_folders)
foreach(file ${_lit_files})
  get_filename_component(folder ${file} DIRECTORY)
  list(APPEND _lit_folders ${folder})
endforeach()
list(REMOVE_DUPLICATES _lit_folders)

foreach(folder ${_lit_folders})
  string(REPLACE / . name ${folder})
  # lit descends into folders; each of those has a test of its own, so only the files are named.
  set(files ${_lit_files})
  list(FILTER files INCLUDE REGEX "^${folder}/[^/]+$")
  list(TRANSFORM files PREPEND ${CMAKE_CURRENT_BINARY_DIR}/)
  add_test(NAME lit.${name} COMMAND ${TEGULA_LLVM_PREFIX}/bin/lit -v ${files})
  set_tests_properties(lit.${name} PROPERTIES LABELS quick)
endforeach()
