// Calls of libraries' functions: effects, verifiers, and the libraries of a module.
#include "dialect/tile/ops/ExternCall.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

bool tile::isSymbolName(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; });
}

LogicalResult ExternCallOp::verify() {
  // (extern_call_c1)
  if (!isSymbolName(getSymbol()))
    return emitOpError("expected the name of a function, found `") << getSymbol() << "`";
  return success();
}

void ExternCallOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getIsPure())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SideEffects::DefaultResource::get());
}

Interaction ExternCallOp::getInteractions() {
  return getIsPure() ? Interaction::AsksDevice : Interaction::AsksDevice | Interaction::TouchesMemory;
}

/// Returns the three words of a library; nothing where `one` is no list of a name, a path and a digest.
static std::optional<LibraryName> libraryOf(Attribute one) {
  auto words = dyn_cast<ArrayAttr>(one);
  if (!words || words.size() != 3 || !llvm::all_of(words, llvm::IsaPred<StringAttr>))
    return std::nullopt;
  const auto word = [&](size_t at) { return cast<StringAttr>(words[at]).getValue(); };
  return LibraryName{word(0), word(1), word(2)};
}

LogicalResult tile::verifyLibraries(Operation *op, Attribute value) {
  // (libraries_c1)
  auto list = dyn_cast<ArrayAttr>(value);
  const auto isNamed = [](Attribute one) {
    std::optional<LibraryName> library = libraryOf(one);
    return library && !library->name.empty() && !library->path.empty();
  };
  if (!isa<ModuleOp>(op) || !list || !llvm::all_of(list, isNamed))
    return op->emitError("expected `tile.libraries` on a module, of names, paths and digests");
  return success();
}

LogicalResult tile::verifyExtern(Operation *op, Attribute value) {
  // (extern_c1)
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || !function.isExternal() || !isa<UnitAttr>(value))
    return op->emitError("expected `tile.extern` on a function without a body, without a value");
  return success();
}

SmallVector<LibraryName> tile::librariesOf(ModuleOp module) {
  SmallVector<LibraryName> libraries;
  auto list = module->getAttrOfType<ArrayAttr>(LibrariesAttrName);
  for (Attribute one : list ? list.getValue() : ArrayRef<Attribute>())
    libraries.push_back(*libraryOf(one));
  return libraries;
}

void tile::setLibraries(ModuleOp module, ArrayRef<LibraryName> libraries) {
  Builder builder(module.getContext());
  SmallVector<Attribute> list;
  for (const LibraryName &library : libraries)
    list.push_back(builder.getStrArrayAttr({library.name, library.path, library.digest}));
  if (!list.empty())
    module->setAttr(LibrariesAttrName, builder.getArrayAttr(list));
}

#define GET_OP_CLASSES
#include "dialect/tile/ops/ExternOps.cpp.inc"
