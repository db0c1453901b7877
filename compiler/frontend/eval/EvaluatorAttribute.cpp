// Attributes of modules, tensors and types.
#include "compiler/frontend/eval/Advice.h"
#include "compiler/frontend/eval/Bindings.h"
#include "compiler/frontend/eval/BoundNames.h"
#include "compiler/frontend/eval/Globals.h"
#include "compiler/frontend/eval/ModulePaths.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

constexpr std::string_view sliceParts[] = {"start", "stop", "step"};

uint32_t homeOf(ModuleId module) {
  switch (module) {
  case ModuleId::Triton:
    return InTriton;
  case ModuleId::Language:
    return InLanguage;
  case ModuleId::Math:
    return InMath;
  case ModuleId::Cuda:
    return InCuda;
  case ModuleId::Libdevice:
    return InLibdevice;
  case ModuleId::TargetInfo:
    return InTargetInfo;
  case ModuleId::PythonMath:
    return InPythonMath;
  case ModuleId::Driver:
    return InDriver;
  case ModuleId::Itertools:
    return InItertools;
  case ModuleId::Extra:
  case ModuleId::NanPolicy:
  case ModuleId::Runtime:
  case ModuleId::Descriptor:
    return 0;
  }
  return 0;
}

/// Numbers and types that modules hold.
std::optional<Value> constantOf(ModuleId module, std::string_view name) {
  if (module == ModuleId::NanPolicy && (name == "NONE" || name == "ALL"))
    return Value(Int(name == "ALL" ? int(NanPolicy::All) : int(NanPolicy::None)));
  if (module == ModuleId::PythonMath) {
    if (name == "pi")
      return Value(3.14159265358979323846);
    if (name == "e")
      return Value(2.71828182845904523536);
    if (name == "tau")
      return Value(6.28318530717958647692);
    if (name == "inf")
      return Value(std::numeric_limits<double>::infinity());
    if (name == "nan")
      return Value(std::numeric_limits<double>::quiet_NaN());
  }
  if (module != ModuleId::Language)
    return std::nullopt;
  if (std::optional<Dtype> dtype = dtypeByAttribute(name))
    return Value(TypeValue{*dtype, {}});
  if (name == "void")
    return Value(TypeValue{{}, {}, /*isVoid=*/true});
  if (name == "pi32_t")
    return Value(TypeValue{Dtype{ScalarKind::Int32}.pointerTo(), {}});
  if (name == "TRITON_MAX_TENSOR_NUMEL" || name == "CONSTEXPR_0") {
    Value value = Int(name == "CONSTEXPR_0" ? 0 : tile::MaxTensorElements);
    value.wrapped = true;
    return value;
  }
  return std::nullopt;
}

} // namespace

std::optional<Value> Evaluator::libraryFunction(std::string_view name, ModuleId home, bool asMethod) {
  const LibraryFunction *found = functions.library(name, home);
  if (!found || (asMethod && !found->isMethod))
    return std::nullopt;
  return Value(Function{found->definition, found->unit});
}

std::optional<Value> Evaluator::moduleAttribute(const ModuleRef &module, std::string_view name) {
  // Files choose between spellings by it.
  if (module.id == ModuleId::Triton && name == "__version__")
    return Value(language.full);
  if (std::optional<Value> constant = constantOf(module.id, name))
    return constant;
  if (std::optional<ModuleRef> part = submodule(module.id, name))
    return Value(*part);
  if (const Builtin *builtin = functions.builtin(name, homeOf(module.id)))
    return Value(BuiltinRef{builtin});
  switch (module.id) {
  case ModuleId::Triton:
    return name == "cdiv" ? libraryFunction(name, ModuleId::Language, false) : std::nullopt;
  case ModuleId::Language:
    return libraryFunction(name, module.id, false);
  case ModuleId::Libdevice:
    return libraryFunction(name, module.id, false);
  case ModuleId::Math:
    // Older kernels find libdevice, and newer ones the rest of the language, under `tl.math`.
    if (std::optional<Value> found = moduleAttribute({ModuleId::Libdevice, module.name}, name))
      return found;
    return moduleAttribute({ModuleId::Language, module.name}, name);
  default:
    return std::nullopt;
  }
}

std::optional<Value> Evaluator::method(const Value &object, std::string_view name, uint32_t home) {
  if (const Builtin *builtin = functions.builtin(name, home))
    return Value(BuiltinRef{builtin, memory.keep(object)});
  if (home != OnTensor && home != OnDescriptor)
    return std::nullopt;
  std::optional<Value> found = home == OnTensor
                                   ? libraryFunction(name, ModuleId::Language, /*asMethod=*/true)
                                   : libraryFunction(name, ModuleId::Descriptor, /*asMethod=*/false);
  if (!found)
    return std::nullopt;
  Function bound = *found->as<Function>();
  bound.self = memory.keep(object);
  return Value(bound);
}

std::optional<Value> Evaluator::tensorAttribute(const Tensor &tensor, std::string_view name,
                                                SourceRange range) {
  if (name == "dtype")
    return Value(TypeValue{tensor.dtype, {}});
  if (name == "type")
    return Value(TypeValue{tensor.dtype, tensor.shape()});
  if (name == "shape") {
    llvm::SmallVector<Value, 8> sides;
    for (int64_t side : tensor.shape())
      sides.push_back(Int(side));
    return memory.tuple(sides, true, range);
  }
  if (name == "numel") {
    Int elements = 1;
    for (int64_t side : tensor.shape())
      elements *= side;
    return Value(elements);
  }
  if (name != "T")
    return method(tensor, name, OnTensor);
  if (tensor.shape().size() == 2)
    return Value(emit.permute(tensor, {1, 0}));
  reporter.error(range,
                 "`T`: expected a tensor of 2 dimensions, found " + typeName(tensor.dtype, tensor.shape()));
  return Value(Poison());
}

/// Returns an attribute of a block pointer; its methods are a tensor's.
static std::optional<Value> blockPointerAttribute(const BlockPointer &pointer, std::string_view name) {
  if (name != "dtype" && name != "type")
    return std::nullopt;
  TypeValue type{pointer.element.pointerTo(), pointer.block};
  type.dtype.isConst = pointer.isConst;
  type.isBlockPointer = true;
  return Value(type);
}

static std::optional<Value> descriptorAttribute(Memory &memory, const Descriptor &descriptor,
                                                std::string_view name, SourceRange range) {
  if (name == "dtype")
    return Value(TypeValue{descriptor.element, {}});
  if (name == "block_type")
    return Value(TypeValue{descriptor.element, descriptor.block});
  llvm::SmallVector<Value, 5> items;
  if (name == "shape")
    llvm::append_range(items, sizesOf(descriptor));
  else if (name == "strides")
    llvm::append_range(items, stridesOf(descriptor));
  else if (name == "block_shape")
    for (int64_t side : descriptor.block)
      items.push_back(Int(side));
  else
    return std::nullopt;
  return memory.tuple(items, true, range);
}

/// Returns a number that identifies a module; 0 for anything else.
static uintptr_t identityOf(const Value &object) {
  if (const ModuleRef *module = object.as<ModuleRef>())
    return uintptr_t(module->id) + 1; // below any address
  const FileModule *file = object.as<FileModule>();
  return file ? reinterpret_cast<uintptr_t>(file->unit) : 0;
}

bool Evaluator::setAttribute(const Value &object, std::string_view name, const Value &value) {
  const uintptr_t identity = identityOf(object);
  if (identity)
    added.insert_or_assign({identity, std::string(name)}, value);
  return identity != 0;
}

/// `tl.tuple_type` of a tuple, which here is the tuple of the items' types.
static Value typeOfTuple(Evaluator &evaluator, const Tuple &tuple, SourceRange range) {
  llvm::SmallVector<Value, 8> types;
  for (const Value &item : tuple.items)
    types.push_back(evaluator.attribute(item, "type", range));
  return evaluator.memory.tuple(types, false, range, tuple.names);
}

std::optional<Value> Evaluator::findAttribute(const Value &object, std::string_view name, SourceRange range) {
  if (const uintptr_t identity = added.empty() ? 0 : identityOf(object))
    if (auto found = added.find({identity, std::string(name)}); found != added.end())
      return found->second;
  if (const ModuleRef *module = object.as<ModuleRef>())
    return moduleAttribute(*module, name);
  if (const FileModule *module = object.as<FileModule>())
    return readableAttribute(*module, name, range);
  if (object.is<HostObject>())
    return bound->attribute(object, name, range);
  if (const Tensor *tensor = object.as<Tensor>())
    return tensorAttribute(*tensor, name, range);
  if (const BlockPointer *pointer = object.as<BlockPointer>()) {
    std::optional<Value> found = blockPointerAttribute(*pointer, name);
    return found ? found : method(object, name, OnTensor);
  }
  if (const Descriptor *descriptor = object.as<Descriptor>()) {
    std::optional<Value> found = descriptorAttribute(memory, *descriptor, name, range);
    return found ? found : method(object, name, OnDescriptor);
  }
  if (const TypeValue *type = object.as<TypeValue>())
    return typeAttribute(*type, name, range);
  if (aggregateOf(object))
    return aggregateAttribute(object, name);
  if (name == "value" && !object.is<Function>())
    return object; // of a `tl.constexpr`, which here is the value itself
  if (object.isNumber()) {
    // A parameter may be a number for one launch and a run-time scalar for the next: the same code
    // has to do for both.
    if (name == "dtype") {
      std::optional<Dtype> dtype = semantics.typeOf(object, range);
      return dtype ? Value(TypeValue{*dtype, {}}) : Value(Poison());
    }
    if (name == "type")
      return typeOfKnown(object, range);
    std::optional<Value> found = method(object, name, OnTensor);
    return found || !object.asInt() ? found : method(object, name, OnInteger);
  }
  if (const SliceValue *slice = object.as<SliceValue>()) {
    auto part = llvm::find(sliceParts, name);
    return part == std::end(sliceParts) ? std::nullopt
                                        : std::optional(slice->parts[size_t(part - std::begin(sliceParts))]);
  }
  if (object.is<std::string_view>())
    return name == "type" ? typeOfKnown(object, range) : method(object, name, OnText);
  if (const Dict *dict = object.as<Dict>(); dict && dict->isRecord) {
    for (const auto &[key, value] : dict->items)
      if (*key.as<std::string_view>() == name)
        return value;
    return std::nullopt;
  }
  if (object.is<Dict>())
    return method(object, name, OnDict);
  if (const Tuple *tuple = object.as<Tuple>(); tuple && tuple->names)
    for (size_t i = 0; i < tuple->items.size(); ++i)
      if (tuple->names->fields[i] == name)
        return tuple->items[i];
  if (const Tuple *tuple = object.as<Tuple>()) {
    if (name != "type")
      return method(object, name, OnSequence);
    return isRuntime(object) ? typeOfTuple(*this, *tuple, range) : typeOfKnown(object, range);
  }
  if (object.isNone() && name == "type")
    return typeOfKnown(object, range);
  if (const BuiltinRef *ref = object.as<BuiltinRef>(); ref && ref->builtin->name == "dtype")
    return partOfDtypeClass(name, range);
  if (const Function *function = object.as<Function>(); function && name == "__name__")
    return Value(function->definition->name);
  return std::nullopt;
}

std::optional<Value> Evaluator::classAttribute(const UnknownOrigin &type, std::string_view name,
                                               SourceRange range) {
  Depth guard(*this, range);
  if (!guard.ok)
    return Value(Poison());
  std::optional<Value> found;
  for (const ast::Stmt *stmt : type.type->body) {
    if (const auto *function = ast::as<ast::FunctionStmt>(stmt); function && function->name == name)
      found = function->isJit || frame->mode == Mode::Host || aggregateClass(Value(Unknown{&type}))
                  ? std::optional<Value>(Function{function, type.unit})
                  : std::nullopt;
    const auto *assign = ast::as<ast::AssignStmt>(stmt);
    const auto *annotated = ast::as<ast::AnnAssignStmt>(stmt);
    if ((assign && bindsTarget(assign->targets.front(), name) &&
         assign->targets.front()->kind == ast::ExprKind::Name) ||
        (annotated && annotated->value && bindsTarget(annotated->target, name)))
      found = evalHost(assign ? assign->value : annotated->value, *type.unit);
  }
  if (found)
    return found->isPoison() || mayRead(*found) ? found : std::nullopt;
  for (const ast::Argument &base : type.type->arguments) {
    if (base.kind != ast::ArgumentKind::Positional)
      continue;
    Value value = evalHost(base.value, *type.unit);
    const Unknown *unknown = value.as<Unknown>();
    if (unknown && unknown->origin->type)
      if (std::optional<Value> inherited = classAttribute(*unknown->origin, name, range))
        return inherited;
  }
  return std::nullopt;
}

Value Evaluator::attribute(const Value &object, std::string_view name, SourceRange range) {
  if (object.isPoison())
    return Poison();
  if (const Unknown *unknown = object.as<Unknown>()) {
    if (unknown->origin->type)
      if (std::optional<Value> member = classAttribute(*unknown->origin, name, range))
        return *member;
    if (std::optional<Value> given = givenAttribute(*unknown->origin, name, range))
      return *given;
    if (asked.empty() && !unknown->origin->path.empty())
      asked = std::string(unknown->origin->path) + "." + std::string(name);
    Diagnostic &diagnostic = reportUnknown(*unknown->origin, range);
    std::string spelling = languageSpelling(functions, name);
    bool isModule = unknown->origin->kind == UnknownOrigin::Kind::Module ||
                    unknown->origin->kind == UnknownOrigin::Kind::Bound;
    if (isModule && !spelling.empty())
      diagnostic.help = "in a kernel it is " + spelling;
    return Poison();
  }
  if (std::optional<Value> found = findAttribute(object, name, range))
    return *found;
  return unknownAttribute(object, name, range);
}

Value Evaluator::unknownAttribute(const Value &object, std::string_view name, SourceRange range) {
  const ModuleRef *module = object.as<ModuleRef>();
  Diagnostic &diagnostic =
      reporter.error(range, describe(object) + " has no attribute `" + std::string(name) + "`");
  NearestName nearest(name);
  auto offer = [&](std::string_view candidate) { nearest.offer(candidate); };
  if (module) {
    functions.forEachBuiltin(homeOf(module->id), offer);
    functions.forEachLibrary(module->id, /*methodsOnly=*/false, offer);
    if (module->id == ModuleId::Triton)
      offer("cdiv");
    if (module->id == ModuleId::Language)
      llvm::for_each(dtypeAttributes(), offer);
  } else if (const FileModule *file = object.as<FileModule>()) {
    globalsOf(*file->unit).forEachName(offer);
  } else if (object.is<Tensor>() || object.isNumber()) {
    functions.forEachBuiltin(OnTensor, offer);
    functions.forEachLibrary(ModuleId::Language, /*methodsOnly=*/true, offer);
    for (std::string_view own : {"dtype", "shape", "type", "numel", "T"})
      nearest.offer(own);
  } else if (object.is<Descriptor>()) {
    functions.forEachBuiltin(OnDescriptor, offer);
    functions.forEachLibrary(ModuleId::Descriptor, /*methodsOnly=*/false, offer);
    for (std::string_view own : {"dtype", "shape", "strides", "block_shape", "block_type"})
      nearest.offer(own);
  } else if (object.is<SliceValue>()) {
    llvm::for_each(sliceParts, offer);
  } else if (const Tuple *tuple = object.as<Tuple>(); tuple && tuple->names) {
    llvm::for_each(tuple->names->fields, offer);
  } else if (object.is<TypeValue>()) {
    functions.forEachBuiltin(OnType, offer);
    for (std::string_view own : {"element_ty", "scalar", "shape", "primitive_bitwidth", "itemsize", "name"})
      nearest.offer(own);
  }
  nearest.suggest(diagnostic);
  std::string spelling;
  if (module && module->id == ModuleId::PythonMath)
    spelling = languageSpelling(functions, name);
  else if (object.is<Tensor>())
    spelling = tensorSpelling(functions, name);
  if (!spelling.empty())
    diagnostic.help = "in a kernel it is " + spelling;
  return Poison();
}
