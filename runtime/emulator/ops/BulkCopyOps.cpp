// cp.async.bulk: copies that a unit of its own carries out (TMA), of boxes that a tensor map describes or of
// bytes in a row, between global memory and shared memory.

#include "runtime/emulator/async/BulkArray.h"
#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/warp/Access.h"
#include "runtime/emulator/warp/ClusterAccess.h"
#include "runtime/emulator/warp/DeviceAccess.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace tegula::runtime::ptx {

namespace {

constexpr uint32_t sharedAlignment = 128;

/// Operands of a copy. `inst.src`: shared memory, the place in global memory (a tensor map's address, or its
/// own), the mbarrier of a load. `inst.offset` is added to the first.
struct CopyData final : InstData {
  bool isLoad = true;
  uint32_t rank = 0; ///< 0: bytes in a row, `size` of them
  Row size = noRow;
  Row blocks = noRow; ///< multicast: the mask of the ranks that a load goes to
  int64_t globalOffset = 0, mbarrierOffset = 0;
  std::vector<Row> coordinates; ///< innermost first
};

/// One lane's copy, about to be issued.
struct Issue {
  Warp &warp;
  const Inst &inst;
  const CopyData &data;
  uint32_t lane;

  uint64_t value(Row row) const { return warp.row(row)[lane]; }
  template <typename... Args> bool refuse(fmt::format_string<Args...> text, Args &&...args) const {
    return warp.refuse(lane, text, std::forward<Args>(args)...);
  }
};

/// The tensor map that a generic address leads to; false after a fault.
bool readMap(const Issue &issue, BulkArray &array) {
  const uint64_t address = issue.value(issue.inst.src[1]) + uint64_t(issue.data.globalOffset);
  if (address % tensorMapAlignment)
    return issue.refuse("expected a tensor map at a multiple of {}, found {:#x}", tensorMapAlignment,
                        address);
  std::array<std::byte, tensorMapBytes> bytes;
  for (uint32_t done = 0; done < tensorMapBytes; done += maxAccessBytes) {
    Target part;
    if (!locate(issue.warp, issue.lane, Space::Generic, address + done, maxAccessBytes, AccessKind::Load,
                part))
      return false;
    const bool fits = part.space == Space::Global || (part.space == Space::Param && !part.shadow);
    if (!fits)
      return issue.refuse("expected a tensor map in a launch's parameters or in global memory");
    if (!beforeRead(issue.warp, issue.lane, part, maxAccessBytes, false))
      return false;
    std::memcpy(bytes.data() + done, part.bytes, maxAccessBytes);
  }
  const std::optional<BulkArray> found = BulkArray::decoded(bytes);
  if (!found)
    return issue.refuse("the {} bytes at {:#x} are no tensor map that a launch has made", tensorMapBytes,
                        address);
  array = *found;
  if (array.rank == issue.data.rank)
    return true;
  return issue.refuse("expected a tensor map of {} axes, found one of {}", issue.data.rank, array.rank);
}

/// Returns where an H200 was seen to differ from the manual; empty where it does not. A row that begins
/// between multiples of 16 bytes, and a store in front of it, are illegal instructions there.
std::string whyNotRecorded(const BulkArray &array, int32_t column, bool isLoad) {
  const int64_t begin = int64_t(column) * array.elementBytes,
                bytes = int64_t(array.box[0]) * array.elementBytes;
  const int64_t row = int64_t(array.sizes[0]) * array.elementBytes;
  if (begin % chunkBytes)
    return fmt::format(
        "the first coordinate of a bulk copy is {} bytes into a row: the hardware takes multiples of 16",
        begin);
  if (!isLoad && begin < 0)
    return fmt::format("a bulk store begins {} bytes in front of a row: the hardware takes none", -begin);
  if (array.swizzle && bytes != array.swizzle)
    return fmt::format(
        "a box has rows of {} bytes and a swizzle of {}: only rows as long as the swizzle are emulated",
        bytes, array.swizzle);
  if (!isLoad && begin + bytes > row && row % chunkBytes)
    return fmt::format(
        "a bulk store reaches over the end of rows of {} bytes: emulated where they are multiples of 16",
        row);
  return {};
}

/// Finds the bytes of the copy on both sides; false after a fault.
bool findChunks(const Issue &issue, std::vector<BulkChunk> &chunks) {
  uint64_t address = issue.value(issue.inst.src[0]) + uint64_t(issue.inst.offset);
  const uint64_t room = issue.warp.block->shared.size();
  uint64_t bytes = 0;
  BulkArray array;
  if (issue.data.rank) {
    if (!readMap(issue, array))
      return false;
    bytes = array.boxBytes();
  } else {
    bytes = uint32_t(issue.value(issue.data.size));
  }
  if (!stayInBlock(issue.warp, issue.lane, address, fmt::format("a bulk copy of {} bytes", bytes)))
    return false;
  const uint32_t alignment = issue.data.rank ? sharedAlignment : chunkBytes;
  if (address % alignment)
    return issue.refuse("expected a bulk copy's shared memory at a multiple of {}, found {:#x}", alignment,
                        address);
  if (bytes > room || address > room - bytes)
    return issue.refuse("a bulk copy of {} bytes at {:#x}: outside the block's {} bytes of shared memory",
                        bytes, address, room);
  if (issue.data.rank) {
    std::array<int32_t, maxTensorMapRank> at{};
    for (uint32_t axis = 0; axis < issue.data.rank; ++axis)
      at[axis] = int32_t(issue.value(issue.data.coordinates[axis]));
    if (const std::string wrong = whyNotRecorded(array, at[0], issue.data.isLoad); !wrong.empty())
      return issue.refuse("{}", wrong);
    array.forChunks(at, uint32_t(address), [&](const BulkChunk &chunk) { chunks.push_back(chunk); });
    return true;
  }
  const uint64_t global = issue.value(issue.inst.src[1]) + uint64_t(issue.data.globalOffset);
  if (global % chunkBytes || bytes % chunkBytes)
    return issue.refuse(
        "expected a bulk copy of a multiple of 16 bytes at a multiple of 16, found {} bytes at {:#x}", bytes,
        global);
  for (uint32_t done = 0; done < bytes; done += chunkBytes) {
    BulkChunk &chunk = chunks.emplace_back();
    chunk.shared = uint32_t(address) + done;
    chunk.end = chunkBytes;
    chunk.global = global + done;
  }
  return true;
}

/// Checks the global side of a chunk and finds it in the host's memory; false after a fault.
bool locateGlobal(const Issue &issue, BulkChunk &chunk) {
  if (chunk.first == chunk.end)
    return true;
  bool isGood = true;
  const AccessKind kind = issue.data.isLoad ? AccessKind::Load : AccessKind::Store;
  forAligned(chunk.global, uint32_t(chunk.end - chunk.first), [&](uint32_t at, uint32_t count) {
    Target part;
    isGood =
        isGood && locate(issue.warp, issue.lane, Space::Global, chunk.global + at, count, kind, part) &&
        (!issue.data.isLoad || (beforeRead(issue.warp, issue.lane, part, count, false) &&
                                isPublishedOnFabric(issue.warp, issue.lane, part, count, "cp.async.bulk")));
    if (at == 0)
      chunk.memory = part.bytes;
  });
  return isGood;
}

/// The sectors that the chunks touch, counted as of one request. `blocks` have them in their shared memory.
void countTraffic(const Issue &issue, const std::vector<BulkChunk> &chunks, uint64_t blocks) {
  std::vector<uint64_t> sectors;
  uint64_t bytes = 0;
  for (const BulkChunk &chunk : chunks)
    if (chunk.end > chunk.first) {
      bytes += uint64_t(chunk.end - chunk.first);
      sectors.push_back(chunk.global / sectorBytes);
      sectors.push_back((chunk.global + uint64_t(chunk.end - chunk.first) - 1) / sectorBytes);
    }
  std::sort(sectors.begin(), sectors.end());
  const uint64_t distinct = uint64_t(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
  const uint64_t ideal = (bytes + sectorBytes - 1) / sectorBytes;
  Counters &counters = issue.warp.block->counters()[issue.inst.place];
  const bool isLoad = issue.data.isLoad;
  (isLoad ? counters.loadRequests : counters.storeRequests) += 1;
  (isLoad ? counters.loadSectors : counters.storeSectors) += distinct;
  (isLoad ? counters.loadSectorsIdeal : counters.storeSectorsIdeal) += ideal;
  (isLoad ? counters.loadBytes : counters.storeBytes) += bytes;
  counters.sharedRequests += blocks;
  counters.sharedBytes += blocks * chunks.size() * chunkBytes;
}

/// Finds the blocks that a load goes to; false after a fault.
bool findBlocks(const Issue &issue, std::vector<Block *> &blocks) {
  if (issue.data.blocks == noRow) {
    blocks.push_back(&blockOf(issue.warp));
    return true;
  }
  uint64_t mask = issue.value(issue.data.blocks) & 0xffff;
  if (!mask)
    return issue.refuse(
        "a bulk copy to several blocks of the cluster whose mask is 0: expected at least one block");
  const std::string copy = fmt::format("a bulk copy with the mask {:#x}, to shared memory", mask);
  for (; mask; mask &= mask - 1) {
    BlockState *const found = blockOfCluster(issue.warp, issue.lane, uint64_t(std::countr_zero(mask)), copy);
    if (!found)
      return false;
    blocks.push_back(static_cast<Block *>(found));
  }
  return true;
}

void issueLoad(const Issue &issue, BulkCopy copy) {
  Target place;
  const uint64_t address = issue.value(issue.inst.src[2]) + uint64_t(issue.data.mbarrierOffset);
  std::vector<Block *> blocks;
  if (!locate(issue.warp, issue.lane, Space::Shared, address, mbarrierBytes, AccessKind::Atomic, place) ||
      !findBlocks(issue, blocks))
    return;
  countTraffic(issue, copy.chunks, blocks.size());
  copy.mbarrier = uint32_t(place.offset);
  for (BulkChunk &chunk : copy.chunks) {
    if (!locateGlobal(issue, chunk))
      return;
    if (chunk.memory)
      std::memcpy(&chunk.bytes[chunk.first], chunk.memory, size_t(chunk.end - chunk.first));
  }
  for (Block *const block : blocks)
    if (!issue.warp.faulted())
      block->bulkCopies.load(copy);
}

void issueStore(const Issue &issue, BulkCopy copy) {
  Warp &warp = issue.warp;
  countTraffic(issue, copy.chunks, 1);
  for (BulkChunk &chunk : copy.chunks) {
    const Target target = sharedTarget(warp, chunk.shared);
    if (!beforeUnitRead(warp, issue.lane, target, chunkBytes, "cp.async.bulk") || !locateGlobal(issue, chunk))
      return;
    if (chunk.end > chunk.first &&
        !warp.block->shared.isDefined(chunk.shared + chunk.first, uint32_t(chunk.end - chunk.first)) &&
        warp.block->checksInitialised())
      return warp.fault(issue.lane, "a bulk copy stores an undefined value, at {:#x} of shared memory",
                        chunk.shared + chunk.first);
    std::memcpy(chunk.bytes.data(), target.bytes, chunkBytes);
  }
  blockOf(warp).bulkCopies.store(std::move(copy));
}

void copy(Warp &warp, const Inst &inst) {
  const auto &data = inst.dataAs<CopyData>();
  std::vector<Row> rows = data.coordinates;
  rows.insert(rows.end(), {inst.src[0], inst.src[1]});
  if (data.isLoad)
    rows.push_back(inst.src[2]);
  for (const Row row : {data.size, data.blocks})
    if (row != noRow)
      rows.push_back(row);
  for (const Row row : rows)
    if (!warp.requireDefined(row, "an operand of a bulk copy"))
      return;
  forLanes(warp.mask, [&](uint32_t lane) {
    if (warp.faulted())
      return;
    const Issue issue{warp, inst, data, lane};
    BulkCopy made;
    made.inst = &inst;
    made.issuer = &warp;
    made.warp = warp.index;
    made.lane = lane;
    made.serial = warp.serial;
    if (!findChunks(issue, made.chunks))
      return;
    (data.isLoad ? issueLoad : issueStore)(issue, std::move(made));
  });
}

void commit(Warp &warp, const Inst &) {
  forLanes(warp.mask, [&](uint32_t lane) { blockOf(warp).bulkCopies.commit(warp.index, lane); });
}

/// `combine`: only reads are waited for.
void wait(Warp &warp, const Inst &inst) {
  forLanes(warp.mask,
           [&](uint32_t lane) { blockOf(warp).bulkCopies.wait(warp, lane, inst.op, inst.combine); });
}

bool takeShared(Form &form) { return form.take("shared::cluster") || form.take("shared::cta"); }

/// `.1d` to `.5d` and the mode in which a box is meant: tiles.
bool takeRank(Form &form, CopyData &data) {
  std::string_view rank;
  if (!form.takeWhere(
          [](std::string_view name) {
            return name.size() == 2 && name[1] == 'd' && name[0] >= '1' && name[0] <= '5';
          },
          &rank))
    return false;
  data.rank = uint32_t(rank[0] - '0');
  form.take("tile");
  return true;
}

/// `[shared]` into src[0] and its offset into `inst.offset`, which the others' addresses pass through.
bool sharedAddress(Form &form, size_t index, unsigned slot, int64_t &offset) {
  form.inst.space = Space::Shared;
  if (!form.address(index, slot))
    return false;
  offset = form.inst.offset;
  return true;
}

/// `[map, {x, y}]` or `[address]`.
bool globalSide(Form &form, size_t index, CopyData &data) {
  form.inst.space = data.rank ? Space::Generic : Space::Global;
  if (!form.address(index, 1, data.rank > 0))
    return false;
  data.globalOffset = form.inst.offset;
  if (data.rank == 0)
    return true;
  const std::vector<Operand> &parts = form.operand(index).parts;
  const Operand *const list = parts.size() > 1 ? &parts[1] : nullptr;
  if (!list || list->kind != Operand::Vector || list->parts.size() != data.rank)
    return form.wrongOperand(index, "a tensor map with a coordinate for each of its axes");
  for (const Operand &part : list->parts)
    if (!form.source(part, Type::B32, data.coordinates.emplace_back(noRow)))
      return false;
  return true;
}

/// cp.async.bulk[.tensor.Nd].shared::cluster.global[.tile].mbarrier::complete_tx::bytes, to the own block or
/// with
/// `.multicast::cluster` to those of a mask.
bool decodeLoad(Form &form, CopyData &data) {
  Inst &inst = form.inst;
  if (!form.take("global") || !form.take("mbarrier::complete_tx::bytes"))
    return false;
  const bool isMulticast = form.take("multicast::cluster"), hasPolicy = form.take("L2::cache_hint");
  const size_t mbarrier = data.rank ? 2 : 3, policyAt = mbarrier + 1 + isMulticast;
  int64_t shared = 0;
  Row policy = noRow;
  form.parser.module.loadsInBulk = true;
  form.parser.module.needsClusters |= isMulticast;
  return form.expectOperands(policyAt + hasPolicy) && sharedAddress(form, 0, 0, shared) &&
         globalSide(form, 1, data) && (data.rank || form.source(2, Type::B32, data.size)) &&
         sharedAddress(form, mbarrier, 2, data.mbarrierOffset) &&
         (!isMulticast || form.source(mbarrier + 1, Type::B16, data.blocks)) &&
         (!hasPolicy || form.source(policyAt, Type::B64, policy)) && ((inst.offset = shared), true);
}

/// cp.async.bulk[.tensor.Nd].global.shared::cta[.tile].bulk_group
bool decodeStore(Form &form, CopyData &data) {
  if (!form.take("shared::cta") || !form.take("bulk_group"))
    return false;
  const bool hasPolicy = form.take("L2::cache_hint");
  const size_t last = data.rank ? 2 : 3;
  int64_t shared = 0;
  Row policy = noRow;
  return form.expectOperands(last + hasPolicy) && globalSide(form, 0, data) &&
         sharedAddress(form, 1, 0, shared) && (data.rank || form.source(2, Type::B32, data.size)) &&
         (!hasPolicy || form.source(last, Type::B64, policy));
}

} // namespace

bool decodeBulkCopy(Form &form) {
  Inst &inst = form.inst;
  if (form.take("commit_group")) {
    inst.run = commit;
    return form.expectOperands(0);
  }
  if (form.take("wait_group")) {
    inst.run = wait;
    inst.combine = form.take("read");
    return form.groupsLeft();
  }
  if (form.take("prefetch")) { // to a cache, of which there is none
    form.takeHints();
    inst.run = nothing;
    return true;
  }
  auto &data = form.addData<CopyData>();
  inst.run = copy;
  if (form.take("tensor") && !takeRank(form, data))
    return false;
  data.isLoad = !form.modifiersLeft().empty() && form.modifiersLeft().front() != "global";
  if (!data.isLoad)
    return form.take("global") && decodeStore(form, data);
  return takeShared(form) && decodeLoad(form, data);
}

} // namespace tegula::runtime::ptx
