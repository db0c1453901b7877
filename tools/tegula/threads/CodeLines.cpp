#include "tools/tegula/threads/CodeLines.h"

#include <algorithm>

namespace tegula::cli {

using runtime::ptx::Flow;
using runtime::ptx::Function;
using runtime::ptx::Inst;
using runtime::ptx::LaunchContext;

std::set<uint32_t> leadersOf(const Function &function) {
  std::set<uint32_t> leaders{0};
  for (uint32_t i = 0; i < function.code.size(); ++i) {
    const Inst &inst = function.code[i];
    if (inst.flow == Flow::Next)
      continue;
    leaders.insert(i + 1);
    if (inst.flow == Flow::Jump)
      leaders.insert(inst.target);
    if (inst.flow == Flow::Table)
      for (uint32_t entry = 0; entry < function.pool[inst.pool]; ++entry)
        leaders.insert(function.pool[inst.pool + 1 + entry]);
  }
  return leaders;
}

CodeLines::CodeLines(const LaunchContext &launch, const PlacesOf &placesOf) {
  for (std::string_view left = launch.text; !left.empty();) {
    const size_t end = std::min(left.find('\n'), left.size());
    lines.push_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  for (const Function &function : launch.program->module.functions)
    read(function, launch, placesOf);
}

void CodeLines::read(const Function &function, const LaunchContext &launch, const PlacesOf &placesOf) {
  const std::set<uint32_t> leaders = leadersOf(function);
  std::set<Statement> seen;
  for (uint32_t i = 0; i < function.code.size(); ++i) {
    const Inst &inst = function.code[i];
    byLine.try_emplace(inst.line, &inst);
    const auto [known, isNew] = places.try_emplace({inst.place, inst.column});
    const runtime::ptx::Place &place = launch.program->module.places[inst.place];
    if (isNew && place.line)
      known->second =
          placesOf({fileOf(launch.program->module, place, launch.sourceFile), place.line, inst.column});
    if (leaders.count(i))
      seen.clear();
    Facts &made = facts[&inst];
    made.calls = &known->second;
    for (const CodePlace &call : known->second)
      if (call.statement && seen.insert({call.file, call.statement}).second)
        made.begun.push_back({call.file, call.statement});
  }
}

const std::vector<CodePlace> &CodeLines::calls(const Inst &inst) const {
  static const std::vector<CodePlace> none;
  const auto found = facts.find(&inst);
  return found == facts.end() ? none : *found->second.calls;
}

bool CodeLines::beginsStatement(const Inst &inst) const {
  const std::vector<CodePlace> &around = calls(inst);
  return !around.empty() && begins(inst, around.front().file, around.front().statement);
}

bool CodeLines::begins(const Inst &inst, const std::string &file, uint32_t statement) const {
  const auto found = facts.find(&inst);
  return found != facts.end() && std::ranges::count(found->second.begun, Statement(file, statement));
}

bool CodeLines::hasStatement(const std::string &file, uint32_t statement) const {
  return std::ranges::any_of(facts, [&](const auto &one) {
    return std::ranges::count(one.second.begun, Statement(file, statement)) != 0;
  });
}

std::vector<const Inst *> CodeLines::at(const runtime::SourcePlace &place) const {
  std::vector<const Inst *> found;
  for (const auto &[line, inst] : byLine)
    if (const auto &around = calls(*inst); !around.empty() && around.front().line == place.line &&
                                           around.front().column == place.column &&
                                           around.front().file == place.file)
      found.push_back(inst);
  return found;
}

const Inst *CodeLines::atOrAfter(uint32_t ptxLine) const {
  const auto found = byLine.lower_bound(ptxLine);
  return found == byLine.end() ? nullptr : found->second;
}

std::string_view CodeLines::text(uint32_t ptxLine) const {
  return ptxLine && ptxLine <= lines.size() ? lines[ptxLine - 1] : std::string_view();
}

} // namespace tegula::cli
