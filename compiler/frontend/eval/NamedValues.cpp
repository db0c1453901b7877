// Names of the source in the IR: an op `tile.bind` wherever a name of a kernel or of a function that it calls
// gets a value.
#include "compiler/frontend/eval/Evaluation.h"

#include "dialect/tile/NameOps.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// A tuple may have a million parts; a person looks at the first.
constexpr size_t maxParts = 64;

/// Binds the parts of one name.
class Binder {
public:
  Binder(Evaluation &evaluator, bool kept) : emit(evaluator.emit), kept(kept) {}

  void bind(const std::string &name, const Value &value) {
    if (parts >= maxParts)
      return;
    if (const Tensor *tensor = value.as<Tensor>())
      return op(name, describe(value), tensor->ir);
    if (const BlockPointer *pointer = value.as<BlockPointer>()) {
      op(name, describe(value), pointer->view);
      return numbers(name + ".offsets", startsOf(*pointer));
    }
    if (const Descriptor *descriptor = value.as<Descriptor>())
      return op(name, describe(value), descriptor->view);
    if (const Tuple *tuple = value.as<Tuple>(); tuple && !tuple->items.empty()) {
      for (size_t i = 0; i < tuple->items.size(); ++i)
        bind(name +
                 (tuple->names ? "." + std::string(tuple->names->fields[i]) : "[" + std::to_string(i) + "]"),
             tuple->items[i]);
      return;
    }
    if (isConstant(value))
      op(name, describe(value), {}, toText(value, /*quoteStrings=*/true));
  }

private:
  static bool isConstant(const Value &value) {
    return value.isNumber() || value.isNone() || value.is<std::string_view>() || value.is<TypeValue>() ||
           value.is<Tuple>() || value.is<Range>();
  }

  void numbers(const std::string &name, llvm::ArrayRef<Tensor> tensors) {
    for (auto [index, tensor] : llvm::enumerate(tensors))
      op(name + "[" + std::to_string(index) + "]", describe(tensor), tensor.ir);
  }

  void op(const std::string &name, const std::string &type, mlir::Value value,
          const std::string &constant = {}) {
    ++parts;
    mlir::OpBuilder &builder = emit.builder;
    tile::BindOp::create(builder, emit.loc, builder.getStringAttr(name), builder.getStringAttr(type),
                         kept ? builder.getUnitAttr() : mlir::UnitAttr(),
                         value ? mlir::StringAttr() : builder.getStringAttr(constant), value);
  }

  Emitter &emit;
  bool kept;
  size_t parts = 0;
};

} // namespace

void Evaluation::nameValue(std::string_view name, const Binding &binding, bool kept) {
  // The names of a comprehension are its own, and no person wrote the library's.
  if (!recordsNames || frame->mode != Mode::Kernel || frame->around || frame->unit->isLibrary ||
      isAllMade(frame->unit->source()) || binding.value.isPoison())
    return;
  const mlir::Location outer = emit.loc;
  at(binding.range);
  Binder(*this, kept).bind(std::string(name), binding.value);
  emit.loc = outer;
}

void Evaluation::nameParameters() {
  if (!recordsNames)
    return;
  for (const auto &[name, binding] : frame->scope->bindings)
    nameValue(name, binding);
}
