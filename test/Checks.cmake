# One ctest test for each concern of tools/check that looks at the sources.

find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(tegula_check name)
  add_test(NAME check.${name} COMMAND ${Python3_EXECUTABLE} tools/check/${name}.py ${ARGN}
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(check.${name} PROPERTIES LABELS quick)
endfunction()

tegula_check(includes)
tegula_check(words)
tegula_check(pages)
if(TEGULA_SANITIZE)
  tegula_check(readme --bin=${CMAKE_RUNTIME_OUTPUT_DIRECTORY} --sanitized)
else()
  tegula_check(readme --bin=${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  set(binaries $<TARGET_FILE:tegula> $<TARGET_FILE:tegula-tool>)
  if(TARGET tegula_python)
    list(APPEND binaries $<TARGET_FILE:tegula_python>)
  endif()
  tegula_check(symbols ${binaries})
endif()
tegula_check(insight --bin=${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
tegula_check(descriptions --tblgen=${TEGULA_LLVM_PREFIX}/bin/llvm-tblgen --include=${TEGULA_LLVM_PREFIX}/include)

# The site of the documentation, where MkDocs is: `tools/build` installs it.
find_program(TEGULA_MKDOCS mkdocs)
if(TEGULA_MKDOCS)
  add_test(NAME check.docs COMMAND ${Python3_EXECUTABLE} tools/docs --out=${PROJECT_BINARY_DIR}/site
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(check.docs PROPERTIES LABELS quick)
endif()
