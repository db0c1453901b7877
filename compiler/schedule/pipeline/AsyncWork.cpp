#include "compiler/schedule/pipeline/AsyncWork.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tegula {

void AsyncWork::addDependences(ScheduleProblem &problem) const {
  for (const SlottedBuffer &buffer : buffers) {
    if (buffer.release)
      problem.add(buffer.release, buffer.write, buffer.slots - 1, "products that read a slot are waited for");
    for (Operation *read : buffer.reads) {
      problem.add(buffer.write, read, 0, "a slot is read after it was written");
      problem.add(read, buffer.write, buffer.slots, "a slot is read before it is written again");
      if (buffer.group)
        problem.add(groups[*buffer.group].wait, read, 0, "copies are waited for");
    }
  }
  for (const AsyncGroup &group : groups) {
    for (Operation *start : group.starts) {
      problem.add(start, group.commit, 0, "a copy belongs to its iteration's group");
      problem.add(group.commit, start, 1, "a copy belongs to its iteration's group");
    }
    problem.add(group.commit, group.wait, 0, "there is something to wait for");
  }
}

unsigned AsyncWork::pendingOf(unsigned index, const ModuloSchedule &schedule) const {
  llvm::DenseMap<Operation *, std::pair<uint64_t, uint64_t>> times; // of the first iteration: step and order
  for (auto [order, entry] : llvm::enumerate(schedule))
    times[entry.first] = {entry.second, order};
  auto committed = times.at(groups[index].commit), awaited = times.at(groups[index].wait);
  unsigned pending = 0;
  for (const AsyncGroup &group : groups)
    if (group.isCounted())
      for (auto time = times.at(group.commit); time < awaited; ++time.first)
        pending += time > committed;
  return pending;
}

void AsyncWork::setPending(const ModuloSchedule &schedule) {
  for (unsigned index = 0; index < groups.size(); ++index)
    if (groups[index].isCounted())
      cast<tgpu::AsyncWaitOp>(groups[index].wait).setPending(pendingOf(index, schedule));
}

} // namespace tegula
