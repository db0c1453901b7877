# Installs the build, builds the programs against the install, and runs them.
#   cmake -DBUILD=... -DSOURCE=... -DWORK=... -DKERNEL=... -DC_COMPILER=... -DCXX_COMPILER=... [-DFLAGS=...] -P Test.cmake
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(REMOVE_RECURSE ${WORK})
file(COPY ${SOURCE}/ DESTINATION ${WORK}/source)
file(COPY ${KERNEL} DESTINATION ${WORK}/source)
run(${CMAKE_COMMAND} --install ${BUILD} --component tegula --prefix ${WORK}/install)
run(${CMAKE_COMMAND} -G Ninja -S ${WORK}/source -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/install
    -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
    "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_C_FLAGS=${FLAGS} -Wall -Wextra -Werror")
run(${CMAKE_COMMAND} --build ${WORK}/build)
foreach(program_and_expected "ahead=right: 0.5 ... 998.5" "ahead_static=2 126\nno variant of `twice_of` takes these arguments")
  string(REGEX MATCH "^([a-z_]+)=(.*)" _ "${program_and_expected}")
  set(program ${CMAKE_MATCH_1})
  set(expected "${CMAKE_MATCH_2}")
  # Where the library is linked in, the emulator is looked for where the dynamic linker looks.
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${WORK}/install/lib ${WORK}/build/${program} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${output}" "${expected}" at)
  if(NOT at EQUAL 0)
    message(FATAL_ERROR "expected `${expected}`, found `${output}`")
  endif()
endforeach()

# Without LLVM inside, the library is small. Sanitizers make it larger.
file(GLOB library ${WORK}/install/lib/libtegula-runtime.so.*.*)
run(strip -o ${WORK}/stripped ${library})
file(SIZE ${WORK}/stripped bytes)
message(STATUS "libtegula-runtime has ${bytes} bytes")
if(NOT FLAGS AND bytes GREATER 1048576)
  message(FATAL_ERROR "expected libtegula-runtime to have at most 1048576 bytes, found ${bytes}")
endif()
