# Installs the build, builds the examples against the install, and runs them.
#   cmake -DBUILD=... -DSOURCE=... -DWORK=... -DKERNEL=... -DC_COMPILER=... -DCXX_COMPILER=... [-DFLAGS=...] -P Test.cmake
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --component tegula --prefix ${WORK}/install)
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/install
    -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
    "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_C_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
execute_process(COMMAND ${CMAKE_COMMAND} -E env TEGULA_DEVICE=emulator ${WORK}/build/example ${KERNEL}
                OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES ": 1\\.5 \\.\\.\\. 1\\.5")
  message(FATAL_ERROR "expected sums of 1.5, found ${output}")
endif()
execute_process(COMMAND ${WORK}/build/plain ${KERNEL} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "vector_add.py has add_kernel")
  message(FATAL_ERROR "expected the kernel's name, found ${output}")
endif()

# The same without CMake, where there is pkg-config.
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG AND NOT FLAGS)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${WORK}/install/lib/pkgconfig ${PKG_CONFIG} --cflags --libs tegula
                  OUTPUT_VARIABLE options OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(options UNIX_COMMAND "${options}")
  run(${C_COMPILER} ${SOURCE}/plain.c ${options} -o ${WORK}/by-pkg-config)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${WORK}/install/lib ${WORK}/by-pkg-config ${KERNEL}
                  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "vector_add.py has add_kernel")
    message(FATAL_ERROR "expected the kernel's name, found ${output}")
  endif()
endif()
