#include "runtime/emulator/ptx/Cfg.h"

#include <algorithm>

namespace tegula::runtime::ptx {

namespace {

/// Blocks are numbered by position; the number after the last is the virtual exit.
struct Graph {
  std::vector<uint32_t> start; ///< first instruction of each block, ascending
  std::vector<std::vector<uint32_t>> successors, predecessors;
  uint32_t exit = 0;

  uint32_t blockOf(uint32_t pc) const {
    return uint32_t(std::upper_bound(start.begin(), start.end(), pc) - start.begin()) - 1;
  }
};

/// Replaces `targets` by the instructions that `inst` may jump to; none where it leaves the function.
void branchTargets(const Function &function, const Inst &inst, std::vector<uint32_t> &targets) {
  targets.clear();
  const auto table = function.pool.begin() + long(inst.pool);
  if (inst.flow == Flow::Jump)
    targets.push_back(inst.target);
  else if (inst.flow == Flow::Table)
    targets.assign(table + 1, table + 1 + long(*table));
}

Graph buildGraph(const Function &function) {
  const uint32_t size = uint32_t(function.code.size());
  std::vector<bool> leader(size + 1, false);
  leader[0] = true;
  std::vector<uint32_t> targets;
  for (uint32_t pc = 0; pc < size; ++pc) {
    const Inst &inst = function.code[pc];
    if (inst.flow == Flow::Next)
      continue;
    leader[pc + 1] = true;
    branchTargets(function, inst, targets);
    for (const uint32_t target : targets)
      leader[std::min(target, size)] = true;
  }
  Graph graph;
  for (uint32_t pc = 0; pc < size; ++pc)
    if (leader[pc])
      graph.start.push_back(pc);
  graph.exit = uint32_t(graph.start.size());
  graph.successors.resize(graph.exit + 1);
  graph.predecessors.resize(graph.exit + 1);
  for (uint32_t block = 0; block < graph.exit; ++block) {
    const uint32_t end = block + 1 < graph.exit ? graph.start[block + 1] : size;
    const Inst &last = function.code[end - 1];
    targets.clear();
    bool fallsThrough = true;
    if (last.flow != Flow::Next) {
      fallsThrough = last.guard != noRow;
      branchTargets(function, last, targets);
      if (targets.empty())
        targets.push_back(size);
    }
    if (fallsThrough)
      targets.push_back(end);
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    for (const uint32_t target : targets) {
      const uint32_t to = target >= size ? graph.exit : graph.blockOf(target);
      graph.successors[block].push_back(to);
      graph.predecessors[to].push_back(block);
    }
  }
  return graph;
}

/// Blocks in post-order of the reversed graph, from the exit; blocks that never reach it are absent.
std::vector<uint32_t> reversePostOrder(const Graph &graph, std::vector<uint32_t> &number) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(graph.exit + 1, false);
  std::vector<std::pair<uint32_t, size_t>> stack{{graph.exit, 0}};
  seen[graph.exit] = true;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next < graph.predecessors[block].size()) {
      const uint32_t to = graph.predecessors[block][next++];
      if (!seen[to]) {
        seen[to] = true;
        stack.emplace_back(to, 0);
      }
    } else {
      number[block] = uint32_t(order.size());
      order.push_back(block);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

constexpr uint32_t none = ~uint32_t(0);

/// Immediate post-dominators, after Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm".
std::vector<uint32_t> postDominators(const Graph &graph) {
  std::vector<uint32_t> number(graph.exit + 1, none), parent(graph.exit + 1, none);
  const std::vector<uint32_t> order = reversePostOrder(graph, number);
  parent[graph.exit] = graph.exit;
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t block : order) {
      if (block == graph.exit)
        continue;
      uint32_t meet = none;
      for (uint32_t to : graph.successors[block]) {
        if (parent[to] == none)
          continue;
        if (meet == none) {
          meet = to;
          continue;
        }
        while (meet != to) {
          while (number[meet] < number[to])
            meet = parent[meet];
          while (number[to] < number[meet])
            to = parent[to];
        }
      }
      if (meet != parent[block]) {
        parent[block] = meet;
        changed = true;
      }
    }
  }
  return parent;
}

} // namespace

void computeReconvergence(Function &function) {
  if (function.code.empty())
    return;
  const Graph graph = buildGraph(function);
  const std::vector<uint32_t> parent = postDominators(graph);
  for (uint32_t block = 0; block < graph.exit; ++block) {
    const uint32_t end = block + 1 < graph.exit ? graph.start[block + 1] : uint32_t(function.code.size());
    Inst &last = function.code[end - 1];
    if (last.flow != Flow::Next && parent[block] != none && parent[block] != graph.exit)
      last.reconverge = graph.start[parent[block]];
  }
}

} // namespace tegula::runtime::ptx
