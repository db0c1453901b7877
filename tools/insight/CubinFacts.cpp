#include "tools/insight/CubinFacts.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tegula::explain {

using namespace llvm;

/// Bytes of an instruction on all architectures from sm_70 on.
static constexpr uint64_t instructionBytes = 16;

/// Reads how many named barriers there are off a kernel's `.nv.info`: records of a format and an attribute, a
/// byte each, and a size or value of two bytes.
static uint32_t barriersOf(StringRef info) {
  constexpr uint8_t sizedFormat = 4, barrierAttribute = 0x4c;
  DataExtractor data(info, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  uint64_t at = 0;
  while (data.isValidOffsetForDataOfSize(at, 4)) {
    const uint8_t format = data.getU8(&at), attribute = data.getU8(&at);
    const uint16_t value = data.getU16(&at);
    if (attribute == barrierAttribute && format != sizedFormat)
      return value & 0xff;
    if (format == sizedFormat)
      at += value;
  }
  return 0;
}

/// Reads the line table that leads to lines of PTX. The table is undocumented; one that cannot be read is as
/// good as none.
static void readLines(StringRef bytes, CubinFacts &facts) {
  const StringMap<std::unique_ptr<MemoryBuffer>> noSections;
  const std::unique_ptr<DWARFContext> context =
      DWARFContext::create(noSections, /*AddrSize=*/8, /*isLittleEndian=*/true);
  DWARFDataExtractor data(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DWARFDebugLine::LineTable table;
  uint64_t offset = 0;
  if (Error error =
          table.parse(data, &offset, *context, nullptr, [](Error one) { consumeError(std::move(one)); })) {
    consumeError(std::move(error));
    return;
  }
  for (size_t i = 0; i + 1 < table.Rows.size(); ++i) {
    const DWARFDebugLine::Row &row = table.Rows[i];
    if (row.EndSequence) // a second kernel follows
      return;
    const uint64_t end = table.Rows[i + 1].Address.Address;
    for (uint64_t address = row.Address.Address; row.Line && address < end; address += instructionBytes) {
      facts.addresses.push_back(address);
      facts.ptxLines.push_back(row.Line);
    }
  }
}

std::optional<CubinFacts> readCubin(std::string_view bytes) {
  Expected<std::unique_ptr<object::ObjectFile>> file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(StringRef(bytes.data(), bytes.size()), "cubin"));
  if (!file) {
    consumeError(file.takeError());
    return std::nullopt;
  }
  CubinFacts facts;
  for (const object::SectionRef &section : (*file)->sections()) {
    Expected<StringRef> name = section.getName();
    Expected<StringRef> contents = section.getContents();
    if (!name || !contents) {
      consumeError(name.takeError());
      consumeError(contents.takeError());
      continue;
    }
    if (name->starts_with(".nv.info.") && !facts.barriers)
      facts.barriers = barriersOf(*contents);
    if (*name == ".nv_debug_line_sass" && facts.addresses.empty())
      readLines(*contents, facts);
  }
  return facts;
}

} // namespace tegula::explain
