# tegula_portable(TARGET) lets what is linked run with any glibc from 2.28 on: the run-time library of C++ is linked in, and
# what newer versions of glibc moved or added comes from runtime/portability/OldGlibc.c. `tools/check/symbols.py` reads in
# the result that nothing newer is left.

# What OldGlibc.c defines: a name too much here does not link, one too few is found by the check.
set(_wrapped
    exp exp2 log log2 pow
    dladdr dlclose dlerror dlopen dlsym
    pthread_attr_getstacksize pthread_attr_setstacksize pthread_create pthread_detach pthread_join pthread_once
    pthread_key_create pthread_key_delete pthread_getspecific pthread_setspecific
    pthread_rwlock_rdlock pthread_rwlock_unlock pthread_rwlock_wrlock pthread_sigmask __pthread_key_create
    pthread_getname_np pthread_setname_np pthread_getattr_default_np pthread_setattr_default_np
    fstat fstat64 fstatat lstat stat stat64 mallinfo2 arc4random pthread_cond_clockwait _dl_find_object)

function(tegula_portable target)
  if(TEGULA_SANITIZE)
    return() # a sanitizer has its own ways round these functions
  endif()
  set(names ${_wrapped})
  set(source ${PROJECT_SOURCE_DIR}/runtime/portability/OldGlibc.c)
  add_library(${target}-old-glibc OBJECT ${source})
  set_target_properties(${target}-old-glibc PROPERTIES POSITION_INDEPENDENT_CODE ON)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    target_compile_definitions(${target}-old-glibc PRIVATE TEGULA_PORTABLE_EXECUTABLE)
    list(APPEND names __libc_start_main)
    target_link_options(${target} PRIVATE -static-libgcc)
  endif()
  list(TRANSFORM names PREPEND -Wl,--wrap=)
  target_link_libraries(${target} PRIVATE $<TARGET_OBJECTS:${target}-old-glibc>)
  # Before 2.34 threads and dlopen were in libraries of their own, which are empty since.
  target_link_options(${target} PRIVATE -static-libstdc++ ${names}
    -Wl,--push-state,--no-as-needed,-l:libpthread.so.0,-l:libdl.so.2,--pop-state)
endfunction()
