// All functions of the language in one table.
#include "compiler/frontend/builtins/BuiltinTable.h"

#include "compiler/frontend/builtins/Library.h"

using namespace tegula::eval;

const FunctionTable &tegula::eval::languageFunctions() {
  static const FunctionTable built = [] {
    FunctionTable table;
    for (std::span<const Builtin> part :
         {creationBuiltins(),  shapeBuiltins(),    joinBuiltins(),     dotBuiltins(),        mathBuiltins(),
          libdeviceBuiltins(), reduceBuiltins(),   mapBuiltins(),      memoryBuiltins(),     viewBuiltins(),
          atomicBuiltins(),    debugBuiltins(),    targetBuiltins(),   deviceBuiltins(),     typeBuiltins(),
          pythonBuiltins(),    numberBuiltins(),   sequenceBuiltins(), pythonMathBuiltins(), textBuiltins(),
          hostBuiltins(),      operatorBuiltins(), roundedBuiltins(),  externBuiltins()})
      for (const Builtin &builtin : part)
        table.add(builtin);
    for (const LibraryFunction &function : libraryFunctions())
      table.add(function);
    return table;
  }();
  return built;
}
