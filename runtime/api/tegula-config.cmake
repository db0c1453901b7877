# The CMake package: the targets tegula::tegula, tegula::runtime and tegula::runtime_static, and
#
#   tegula_add_kernels(TARGET FILE.py SPECS "WORDS" ... [ARCHS sm_80 ...] [NAME NAME] [DEPENDS FILE ...])
#   tegula_add_kernels(TARGET FILE.specs [ARCHS ...] [NAME NAME] [DEPENDS FILE ...])
#
# which compiles kernels while TARGET is built, links them in, and lets its sources include <NAME.h>, which has a C function
# for each of them. WORDS are what `tegula compile` takes: "-D BLOCK_SIZE=1024 --sig x_ptr=*fp32:16 --sig n=i32 --name add".
# In a file of specialisations each line has the name of its own file of kernels in front. NAME is that of FILE if nothing
# else is said; ARCHS is sm_90a. The kernels are compiled anew when FILE, or what DEPENDS names, has changed.
include(${CMAKE_CURRENT_LIST_DIR}/tegula-targets.cmake)

# The package may be moved: the command is found from where this file lies.
get_filename_component(TEGULA_EXECUTABLE ${CMAKE_CURRENT_LIST_DIR}/../../../bin/tegula ABSOLUTE)

function(tegula_add_kernels target file)
  cmake_parse_arguments(ARG "" "NAME" "SPECS;ARCHS;DEPENDS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tegula_add_kernels: expected SPECS, ARCHS, NAME or DEPENDS, found `${ARG_UNPARSED_ARGUMENTS}`")
  endif()
  get_filename_component(path ${file} ABSOLUTE)
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "tegula_add_kernels: there is no file `${path}`")
  endif()
  if(NOT ARG_NAME)
    get_filename_component(ARG_NAME ${file} NAME_WE)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/tegula-kernels/${target})
  set(out ${folder}/${ARG_NAME})
  set(specs ${path})
  if(ARG_SPECS)
    set(specs ${out}.specs)
    set(text "")
    foreach(words IN LISTS ARG_SPECS)
      string(APPEND text "\"${path}\" ${words}\n")
    endforeach()
    file(GENERATE OUTPUT ${specs} CONTENT "${text}")
  elseif(path MATCHES "[.]py$")
    message(FATAL_ERROR "tegula_add_kernels: expected SPECS for the kernels of `${file}`")
  endif()
  set(archs "")
  if(ARG_ARCHS)
    string(REPLACE ";" "," archs "--arch=${ARG_ARCHS}")
  endif()
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${out}.h ${out}.o
    COMMAND ${TEGULA_EXECUTABLE} bundle ${specs} --c=${out} ${archs}
    DEPENDS ${path} ${specs} ${ARG_DEPENDS} ${TEGULA_EXECUTABLE}
    COMMENT "Compiling kernels of ${file}" VERBATIM)
  set_source_files_properties(${out}.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_sources(${target} PRIVATE ${out}.o ${out}.h)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
