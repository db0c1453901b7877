# Writes the bytes of the shell's files as C++: cmake -Doutput=Shell.cpp -Dhtml=... -Dboot=... -Dscript=... -Dstyle=... -P Embed.cmake
set(code "// Made by tools/insight/page/Embed.cmake.\n#include \"tools/insight/page/Shell.h\"\n\n")
string(APPEND code "namespace tegula::explain::shell {\n")
foreach(name html boot script style)
  file(READ "${${name}}" bytes HEX)
  string(REGEX REPLACE "0a$" "" bytes "${bytes}") # of the last line
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND code "static const char ${name}Bytes[] = {${bytes}};\n")
  string(APPEND code "const std::string_view ${name}{${name}Bytes, sizeof(${name}Bytes)};\n")
endforeach()
file(WRITE "${output}" "${code}} // namespace tegula::explain::shell\n")
