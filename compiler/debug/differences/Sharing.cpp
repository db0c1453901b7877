#include "compiler/debug/differences/Sharing.h"

#include "llvm/Support/FormatVariadic.h"

namespace tegula::debug {

/// Elements that are followed, in some 200 MiB.
static constexpr uint64_t mostElements = uint64_t(1) << 22;

Sharing::Sharing(llvm::ArrayRef<Array> arrays) : arrays(arrays) {
  uint64_t all = 0;
  for (const Array &array : arrays)
    all += array.elements();
  for (const Array &array : arrays)
    uses.emplace_back(all <= mostElements ? array.elements() : 0);
}

/// "program (1, 0, 0)"
static std::string nameOf(const interp::Grid &program) {
  return llvm::formatv("program ({0}, {1}, {2})", program[0], program[1], program[2]);
}

void Sharing::use(const interp::Grid &program, uint64_t address, bool isWrite) {
  if (!found.empty())
    return;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const std::optional<uint64_t> index = uses[i].empty() ? std::nullopt : arrays[i].indexOf(address);
    if (!index)
      continue;
    Uses &one = uses[i][*index];
    const bool isReaderOther = one.reader && *one.reader != program;
    if (!isWrite && one.writer == program)
      found = "written and read again by " + nameOf(program);
    else if (!isWrite && one.writer)
      found = "written by " + nameOf(*one.writer) + " and read by " + nameOf(program);
    else if (isWrite && one.writer && *one.writer != program)
      found = "written by " + nameOf(*one.writer) + " and by " + nameOf(program);
    else if (isWrite && (isReaderOther || one.otherReader))
      found = "read by " + nameOf(isReaderOther ? *one.reader : *one.otherReader) + " and written by " +
              nameOf(program);
    if (isWrite)
      one.writer = program;
    else if (isReaderOther)
      one.otherReader = program;
    else
      one.reader = program;
    if (!found.empty()) {
      found = "`" + arrays[i].elementName(*index) + "` is " + found;
      return;
    }
  }
}

} // namespace tegula::debug
