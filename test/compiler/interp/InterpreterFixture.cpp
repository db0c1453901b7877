#include "test/compiler/interp/InterpreterFixture.h"

#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mlir;

namespace tegula::interp {

static void finish(Outcome &outcome, const Fault &fault) {
  outcome.text = fault.text;
  outcome.element = fault.element;
  outcome.program = fault.program;
  if (auto place = fault.location->findInstanceOf<FileLineColRange>())
    outcome.line = place.getStartLine();
}

Outcome run(const std::string &ir, std::vector<Array> &arrays, const std::vector<uint64_t> &scalars,
            Grid grid, Options options) {
  Outcome outcome;
  DialectRegistry registry;
  registry.insert<tile::TileDialect, tgpu::TgpuDialect, arith::ArithDialect, math::MathDialect,
                  scf::SCFDialect, func::FuncDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(ir, &context);
  if (!module) {
    ADD_FAILURE() << "the IR does not parse:\n" << ir;
    return outcome;
  }
  Memory memory;
  std::vector<uint64_t> arguments;
  for (const Array &array : arrays) {
    Allocation *made = memory.allocate(array.elements.size() * array.bytes);
    for (size_t i = 0; i < array.elements.size() && array.isDefined; ++i)
      memory.write(made->base + i * array.bytes, &array.elements[i], array.bytes);
    arguments.push_back(made->base);
  }
  std::vector<uint64_t> bases = arguments;
  arguments.insert(arguments.end(), scalars.begin(), scalars.end());
  options.print = [&](std::string_view text) { outcome.printed += text; };
  std::optional<Fault> problem;
  std::unique_ptr<Kernel> kernel = Kernel::prepare(*module->getOps<func::FuncOp>().begin(), problem);
  if (kernel)
    problem = kernel->launch(grid, arguments, memory, options);
  if (problem)
    finish(outcome, *problem);
  for (size_t n = 0; n < arrays.size(); ++n) {
    Array &array = arrays[n];
    const Allocation *at = memory.find(bases[n], 0);
    array.defined.clear();
    for (size_t i = 0; i < array.elements.size(); ++i) {
      array.elements[i] = 0;
      std::memcpy(&array.elements[i], at->data.get() + i * array.bytes, array.bytes);
      bool defined = true;
      for (unsigned byte = 0; byte < array.bytes; ++byte)
        defined &= at->defined.get()[i * array.bytes + byte] != 0;
      array.defined.push_back(defined);
    }
  }
  return outcome;
}

/// One element of memory that holds what `body` computed.
static Array compute(const std::string &body, const std::string &type, const std::vector<uint64_t> &inputs,
                     std::string resultType) {
  if (resultType.empty())
    resultType = type;
  std::string ir = "func.func @f(%out: !tile.ptr<" + (resultType == "i1" ? "i8" : resultType) + ">";
  for (size_t i = 0; i < inputs.size(); ++i)
    ir += ", %" + std::string(1, char('a' + i)) + ": " + type;
  ir += ") {\n" + body + "\n";
  if (resultType == "i1")
    ir += "%w = arith.extui %r : i1 to i8\ntile.store %out, %w : !tile.ptr<i8>\n";
  else
    ir += "tile.store %out, %r : !tile.ptr<" + resultType + ">\n";
  ir += "return\n}\n";
  const unsigned bits = resultType == "bf16" ? 16 : unsigned(std::stoul(resultType.substr(1)));
  std::vector<Array> arrays{{std::max(1u, bits / 8), {0}}};
  Options options;
  options.checkUndefinedStores = false;
  Outcome outcome = run(ir, arrays, inputs, {1, 1, 1}, options);
  EXPECT_EQ(outcome.text, "") << ir;
  return arrays.front();
}

uint64_t evaluate(const std::string &body, const std::string &type, const std::vector<uint64_t> &inputs,
                  const std::string &resultType) {
  Array result = compute(body, type, inputs, resultType);
  EXPECT_TRUE(result.defined.front()) << body;
  return result.elements.front();
}

bool isUndefined(const std::string &body, const std::string &type, const std::vector<uint64_t> &inputs,
                 const std::string &resultType) {
  return !compute(body, type, inputs, resultType).defined.front();
}

} // namespace tegula::interp
