// Binds a kernel's parameters, and lets the evaluator walk its body.
#include "compiler/frontend/Frontend.h"
#include "compiler/frontend/Dialects.h"
#include "compiler/frontend/FindKernel.h"
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/builtins/tensor/BuiltinsView.h"
#include "compiler/frontend/eval/text/Decorators.h"
#include "compiler/frontend/eval/walk/Evaluator.h"
#include "compiler/spec/Descriptor.h"
#include "compiler/spec/PassedTuple.h"

#include "dialect/tile/Limits.h"
#include "dialect/tile/ops/ExternCall.h"
#include "mlir/IR/Verifier.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// Takes from every product and sum the permission to become one operation with its neighbour.
void forbidFusion(mlir::ModuleOp module) {
  module.walk([](mlir::arith::ArithFastMathInterface op) {
    const mlir::arith::FastMathFlags flags = op.getFastMathFlagsAttr().getValue();
    const auto left = flags & ~mlir::arith::FastMathFlags::contract;
    if (left != flags)
      op->setAttr(op.getFastMathAttrName(), mlir::arith::FastMathFlagsAttr::get(op->getContext(), left));
  });
}

/// Makes one kernel's module.
class Lowering {
public:
  Lowering(const ParsedProgram &program, const ast::JitFunction &found, const KernelSpec &spec,
           mlir::MLIRContext &context, DiagnosticEngine &diagnostics, const TileOptions &options)
      : found(found), spec(spec), context(context), diagnostics(diagnostics), units(program, found.around),
        unit(units.innermost()),
        evaluator(&context, languageFunctions(), unit, spec, diagnostics), root{&unit, "", {}, nullptr},
        active(evaluator.reporter, root), keepsWrong(options.keepsWrong) {
    evaluator.recordsNames = options.names;
  }

  mlir::OwningOpRef<mlir::ModuleOp> run();

private:
  bool checkText();
  bool checkNames(const ast::FunctionStmt &kernel);
  bool checkSpec(const ast::FunctionStmt &kernel);
  Value bindParameter(const ast::Parameter &parameter);
  Value argument(const ast::Parameter &parameter, std::string_view name, const RuntimeArg &given);
  Value descriptor(const ast::Parameter &parameter, std::string_view name, const bound::Descriptor &given);
  Value passed(const ast::Parameter &parameter, std::string_view name, const BoundValue &given, int depth);
  Value passedItems(const ast::Parameter &parameter, std::string_view name, const bound::Tuple &tuple,
                    int depth);

  const ast::JitFunction &found;
  const KernelSpec &spec;
  mlir::MLIRContext &context;
  DiagnosticEngine &diagnostics;
  Units units;
  const Unit &unit;
  Evaluator evaluator;
  Activation root;
  Reporter::Scope active;
  const bool keepsWrong;
  mlir::func::FuncOp function; ///< the kernel's
};

/// Reports what did not parse of a kernel in a function, whose errors are that function's own.
bool Lowering::checkText() {
  const SourceFile &source = unit.source();
  uint32_t first = source.line(found.function->range.begin), last = source.line(found.function->range.end);
  bool fine = true;
  for (const ast::FunctionStmt *function : found.around)
    for (const Diagnostic &error : function->errors ? *function->errors : std::vector<Diagnostic>())
      if (error.line >= first && error.line <= last) {
        diagnostics.report(error);
        fine = false;
      }
  return fine;
}

/// The parameters by which descriptors and the items of tuples are passed.
static std::set<std::string> partsOf(const KernelSpec &spec) {
  std::set<std::string> parts;
  for (const auto &[name, given] : spec.args)
    if (const auto *known = std::get_if<BoundValue>(&given))
      for (PassedParameter &part : passedParameters(name, *known))
        parts.insert(std::move(part.name));
  return parts;
}

bool Lowering::checkNames(const ast::FunctionStmt &kernel) {
  bool fine = true;
  const std::set<std::string> parts = partsOf(spec);
  std::set<std::string_view> known; // kernels of optimisers have hundreds
  for (const ast::Parameter &parameter : kernel.parameters)
    known.insert(parameter.name);
  for (const auto &[name, given] : spec.args) {
    if (parts.contains(name) || known.contains(name))
      continue;
    fine = false;
    NearestName(name, kernel.parameters)
        .suggest(evaluator.reporter.error(kernel.nameRange, "kernel " + asCode(kernel.name) +
                                                                " has no parameter " + asCode(name)));
  }
  for (const ast::Parameter &parameter : kernel.parameters)
    if (parameter.kind == ast::ParameterKind::VarKeywords) {
      evaluator.reporter.error(parameter.nameRange,
                               "expected a kernel without keywords of any name, found `**" +
                                   std::string(parameter.name) + "`");
      fine = false;
    }
  return fine;
}

bool Lowering::checkSpec(const ast::FunctionStmt &kernel) {
  auto refuse = [&](std::string message) {
    evaluator.reporter.error(kernel.nameRange, std::move(message));
    return false;
  };
  if (std::string wrong = tile::wrongCounts(spec.warps(), spec.stages(), spec.maxRegisters); !wrong.empty())
    return refuse(std::move(wrong));
  if (!lookupLanguageVersion(spec.tritonVersion))
    return refuse(unknownLanguageVersion(spec.tritonVersion));
  for (const auto &[name, given] : spec.args) {
    const auto *runtime = std::get_if<RuntimeArg>(&given);
    if (runtime && !llvm::isPowerOf2_32(runtime->facts.divisibility))
      return refuse("expected a power of two as the divisibility of " + asCode(name) + ", found " +
                    std::to_string(runtime->facts.divisibility));
    if (runtime && runtime->facts.nonNegative && !isSignedInteger(*runtime))
      return refuse("expected a signed integer that is not negative as " + asCode(name) + ", found " +
                    formatArgType(*runtime));
  }
  return true;
}

Value Lowering::argument(const ast::Parameter &parameter, std::string_view name, const RuntimeArg &given) {
  Dtype dtype{given.scalar, given.pointerDepth};
  dtype.isConst = dtype.isPointer() && annotationNames(parameter.annotation, "const");
  RuntimeArg plain = given;
  plain.facts = {};
  auto fact = tile::ParamAttr::get(&context, name, formatArgType(plain), given.facts.divisibility,
                                   given.facts.nonNegative, dtype.isConst);
  mlir::NamedAttribute attribute(mlir::StringAttr::get(&context, "tile.param"), fact);
  unsigned index = function.getNumArguments();
  mlir::Location loc = evaluator.reporter.locate(parameter.nameRange);
  if (mlir::failed(function.insertArgument(index, toMlir(&context, dtype),
                                           mlir::DictionaryAttr::get(&context, attribute), loc)))
    return Poison();
  return Tensor{function.getArgument(index), dtype};
}

/// A descriptor that the host has made: the array is passed by parameters of its own, which the specification
/// may have more to say of.
Value Lowering::descriptor(const ast::Parameter &parameter, std::string_view name,
                           const bound::Descriptor &given) {
  auto refuse = [&](const std::string &message) {
    return evaluator.reporter.refuse(parameter.nameRange, "descriptor " + asCode(name) + ": " + message);
  };
  const size_t rank = given.block.size();
  if (rank < 1 || rank > maxDescriptorRank)
    return refuse("expected 1 to " + std::to_string(maxDescriptorRank) + " dimensions, found " +
                  std::to_string(rank));
  llvm::SmallVector<Int, 8> sides(given.block.begin(), given.block.end());
  if (!evaluator.semantics.checkShape(sides, parameter.nameRange))
    return Poison();
  const auto base = spec.args.find(std::string(name) + ".base");
  const RuntimeArg *pointer = base == spec.args.end() ? nullptr : std::get_if<RuntimeArg>(&base->second);
  if (!pointer || pointer->pointerDepth != 1)
    return refuse("expected a pointer to numbers as `" + std::string(name) + ".base`");
  llvm::SmallVector<Tensor, 8> parts;
  for (const auto &[part, type] : descriptorParameters(name, rank, pointer->scalar)) {
    const auto said = spec.args.find(part);
    const RuntimeArg *own = said == spec.args.end() ? nullptr : std::get_if<RuntimeArg>(&said->second);
    if (said != spec.args.end() &&
        (!own || own->scalar != type.scalar || own->pointerDepth != type.pointerDepth))
      return refuse("expected " + formatArgType({type.scalar, type.pointerDepth, {}}) + " as " +
                    asCode(part));
    Value made = argument(parameter, part, own ? *own : type);
    if (made.isPoison())
      return made;
    parts.push_back(*made.as<Tensor>());
  }
  parts.push_back(evaluator.emit.constant(Int(1), {ScalarKind::Int64})); // the last stride
  const Access access = accessOf(evaluator.emit, parts.front());
  const Shape block = blockShape(evaluator.emit, sides, access.element);
  if (std::string wrong = wrongBlock(block, access.element); !wrong.empty())
    return refuse(wrong);
  if (given.padsWithNan && !canPadWithNan(access.element))
    return refuse("expected floats to pad with 'nan', found " + typeName(access.element));
  llvm::ArrayRef<Tensor> all(parts);
  return describeArray(evaluator, access, all.slice(1, rank), all.take_back(rank), block, given.padsWithNan);
}

/// Returns the value of `name`, which launches pass in parts: a descriptor, or a tuple of which some items
/// are passed and the rest is known.
Value Lowering::passed(const ast::Parameter &parameter, std::string_view name, const BoundValue &given,
                       int depth) {
  if (const auto *array = std::get_if<bound::Descriptor>(&given.value))
    return descriptor(parameter, name, *array);
  if (const auto *tuple = std::get_if<bound::Tuple>(&given.value))
    return passedItems(parameter, name, *tuple, depth);
  if (!std::holds_alternative<bound::Passed>(given.value))
    return evaluator.names.bound.given(given, parameter.name, parameter.nameRange);
  const auto said = spec.args.find(std::string(name));
  if (said == spec.args.end()) {
    evaluator.reporter.error(parameter.nameRange, "missing type of " + asCode(name)).help =
        "give it with `--sig " + std::string(name) + "=TYPE`";
    return Poison();
  }
  if (const auto *runtime = std::get_if<RuntimeArg>(&said->second))
    return argument(parameter, name, *runtime);
  return evaluator.names.bound.given(std::get<BoundValue>(said->second), parameter.name, parameter.nameRange);
}

Value Lowering::passedItems(const ast::Parameter &parameter, std::string_view name, const bound::Tuple &tuple,
                            int depth) {
  if (depth == maxPassedDepth)
    return evaluator.reporter.refuse(parameter.nameRange, "expected tuples that nest at most " +
                                                              std::to_string(maxPassedDepth) + " deep as " +
                                                              asCode(parameter.name));
  llvm::SmallVector<Value, 8> made;
  for (auto [index, item] : llvm::enumerate(tuple.items)) {
    made.push_back(passed(parameter, itemName(name, index), item, depth + 1));
    if (made.back().isPoison())
      return Poison();
  }
  const TupleNames *names =
      tuple.fields.empty() ? nullptr : evaluator.memory.tupleNames(tuple.typeName, tuple.fields);
  return evaluator.memory.tuple(made, /*isList=*/false, parameter.nameRange, names);
}

Value Lowering::bindParameter(const ast::Parameter &parameter) {
  Reporter &reporter = evaluator.reporter;
  bool isConstexpr = annotationNames(parameter.annotation, "constexpr");
  auto given = spec.args.find(std::string(parameter.name));
  const bool gathers = parameter.kind == ast::ParameterKind::VarArgs;
  if (given == spec.args.end()) {
    if (gathers)
      return evaluator.memory.tuple({}, /*isList=*/false, parameter.nameRange);
    if (parameter.defaultValue) {
      Value value = evaluator.evalHost(parameter.defaultValue, unit);
      const Unknown *unknown = findUnknown(value);
      if (!unknown)
        return value;
      evaluator.reportUnknown(*unknown->origin, parameter.defaultValue->range).help =
          "give it with `-D " + std::string(parameter.name) + "=VALUE`";
      return Poison();
    }
    Diagnostic &diagnostic =
        reporter.error(parameter.nameRange, std::string(isConstexpr ? "missing value of constexpr parameter `"
                                                                    : "missing type of parameter `") +
                                                std::string(parameter.name) + "`");
    diagnostic.help = isConstexpr ? "give it with `-D " + std::string(parameter.name) + "=VALUE`"
                                  : "give it with `--sig " + std::string(parameter.name) + "=TYPE`";
    return Poison();
  }
  const auto *known = std::get_if<BoundValue>(&given->second);
  if (gathers && (!known || !std::holds_alternative<bound::Tuple>(known->value)))
    return reporter.refuse(parameter.nameRange, "expected a tuple of what `*" + std::string(parameter.name) +
                                                    "` gathers, found another value");
  if (known && !passedParameters(parameter.name, *known).empty()) {
    if (!isConstexpr)
      return passed(parameter, parameter.name, *known, 0);
    const bool isArray = std::holds_alternative<bound::Descriptor>(known->value);
    return reporter.refuse(parameter.nameRange,
                           "expected a value for constexpr parameter " + asCode(parameter.name) + ", found " +
                               (isArray ? "a tensor descriptor" : "a tuple that launches pass"));
  }
  if (known)
    return evaluator.names.bound.given(*known, parameter.name, parameter.nameRange);
  const RuntimeArg &runtime = std::get<RuntimeArg>(given->second);
  if (!isConstexpr)
    return argument(parameter, parameter.name, runtime);
  return reporter.refuse(parameter.nameRange, "expected a value for constexpr parameter " +
                                                  asCode(parameter.name) + ", found the type " +
                                                  formatArgType(runtime));
}

mlir::OwningOpRef<mlir::ModuleOp> Lowering::run() {
  const ast::FunctionStmt *kernel = found.function;
  if (!checkText() || !checkKernelDecorators(evaluator.reporter, unit, *kernel) || !checkNames(*kernel) ||
      !checkSpec(*kernel))
    return {};
  mlir::OpBuilder &builder = evaluator.emit.builder;
  mlir::Location loc = evaluator.reporter.locate(kernel->nameRange);
  mlir::OwningOpRef<mlir::ModuleOp> result = mlir::ModuleOp::create(loc);
  (*result)->setAttr("tile.target", builder.getStringAttr(spec.target));
  llvm::SmallVector<llvm::StringRef> without;
  for (Feature feature : spec.without)
    without.push_back(featureName(feature));
  if (!without.empty())
    (*result)->setAttr("tile.without", builder.getStrArrayAttr(without));
  llvm::SmallVector<tile::LibraryName> libraries;
  for (const ExternLibrary &library : spec.externLibs)
    libraries.push_back({library.name, library.path, library.digest});
  tile::setLibraries(*result, libraries);
  builder.setInsertionPointToStart(result->getBody());
  function = mlir::func::FuncOp::create(builder, loc, kernel->name, builder.getFunctionType({}, {}));
  function->setAttr("tile.kernel", tile::KernelAttr::get(&context, spec.warps(), spec.stages()));
  if (spec.maxRegisters)
    function->setAttr("tile.registers", builder.getI32IntegerAttr(int32_t(spec.maxRegisters)));
  if (spec.splitK)
    function->setAttr("tile.split_k", builder.getUnitAttr());
  if (spec.numCtas > 1)
    function->setAttr("tile.num_ctas", builder.getI32IntegerAttr(int32_t(spec.numCtas)));
  builder.setInsertionPointToStart(function.addEntryBlock());
  Scope scope;
  for (const ast::Parameter &parameter : kernel->parameters)
    scope.set(parameter.name, {bindParameter(parameter), parameter.nameRange});
  evaluator.run(kernel, scope);
  evaluator.emit.loc = loc;
  mlir::func::ReturnOp::create(builder, loc);
  if (diagnostics.hasErrors() && !keepsWrong)
    return {};
  // Constants that folding left unused go.
  function.walk([](mlir::arith::ConstantOp constant) {
    if (constant->use_empty())
      constant.erase();
  });
  if (!spec.fpFusion)
    forbidFusion(*result);
  return result;
}

} // namespace

mlir::OwningOpRef<mlir::ModuleOp> tegula::lowerToTile(const ParsedProgram &program, const KernelSpec &spec,
                                                      mlir::MLIRContext &context,
                                                      DiagnosticEngine &diagnostics,
                                                      const TileOptions &options) {
  loadFrontendDialects(context);
  std::optional<ast::JitFunction> kernel = findKernel(program, spec, context, diagnostics);
  if (!kernel)
    return {};
  KernelSpec adjusted = spec;
  adjusted.debug = spec.debug || wantsDebug(*kernel->function);
  return Lowering(program, *kernel, adjusted, context, diagnostics, options).run();
}
