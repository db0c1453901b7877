// Tuples among the arguments of a launch: what a kernel is compiled for depends on how many items they have.
#include "compiler/spec/PassedTuple.h"
#include "runtime/jit/files/SpecText.h"
#include "runtime/jit/launch/Jit.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

namespace {

/// Takes arguments apart, the first first.
class TupleReader {
public:
  TupleReader(std::span<const HostValue> args, std::vector<HostValue> &flat) : args(args), flat(flat) {}

  bool atEnd() const { return next == args.size(); }
  bool atTuple() const { return args[next].kind == HostValue::Tuple; }
  void takePlain() { flat.push_back(args[next++]); }
  /// The value that stands for the tuple which comes next. Errors: InvalidArgument.
  Result<BoundValue> takeTuple(const std::string &name, int depth);

private:
  std::span<const HostValue> args;
  std::vector<HostValue> &flat;
  size_t next = 0;
};

Result<BoundValue> TupleReader::takeTuple(const std::string &name, int depth) {
  const uint64_t count = args[next++].bits;
  if (depth > maxPassedDepth)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("parameter `{}`: tuples nest more than {} deep", name, maxPassedDepth)};
  if (count > args.size() - next)
    return Error{ErrorKind::InvalidArgument, fmt::format("expected {} items of the tuple `{}`, found {}",
                                                         count, name, args.size() - next)};
  bound::Tuple tuple;
  for (uint64_t i = 0; i < count; ++i) {
    if (atEnd())
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("expected {} items of the tuple `{}`, found {}", count, name, i)};
    if (atTuple()) {
      Result<BoundValue> item = takeTuple(itemName(name, size_t(i)), depth + 1);
      if (!item)
        return item;
      tuple.items.push_back(std::move(*item));
      continue;
    }
    if (args[next].kind == HostValue::Default)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("expected a value for `{}`, found its default", itemName(name, size_t(i)))};
    takePlain();
    tuple.items.push_back({bound::Passed()});
  }
  return BoundValue{std::move(tuple)};
}

} // namespace

bool JitKernel::holdTuple(std::span<const HostValue> args) {
  return std::ranges::find(args, HostValue::Tuple, &HostValue::kind) != args.end();
}

Result<JitKernel *> JitKernel::withTuples(std::span<const HostValue> args, std::vector<HostValue> &flat) {
  TupleReader reader(args, flat);
  KernelSpec tuples; // gives them a text, by which equal ones are found
  size_t given = 0;
  for (; !reader.atEnd(); ++given) {
    if (given < open.size() && reader.atTuple()) {
      const ParameterInfo &parameter = open[given];
      if (parameter.isConstexpr || parameter.type || !parameterOf(parameter.name).empty())
        return mismatch(parameter, {HostValue::Tuple});
      BoundValue tuple = TRY(reader.takeTuple(parameter.name, 1));
      tuples.args.emplace(parameter.name, std::move(tuple));
    } else {
      reader.takePlain();
    }
  }
  TRY(checkCount(given));
  const std::string text = specText(tuples);
  std::lock_guard lock(heuristicsMutex);
  if (auto found = derived.find(text); found != derived.end())
    return found->second.get();
  Options options = fixed;
  for (const auto &[name, tuple] : tuples.args)
    options.constexprs.insert_or_assign(name, std::get<BoundValue>(tuple));
  std::shared_ptr<JitKernel> made = TRY(create(owner, kernelInfo, std::move(options)));
  return derived.emplace(text, std::move(made)).first->second.get();
}

} // namespace tegula::jit
