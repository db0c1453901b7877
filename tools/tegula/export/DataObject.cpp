#include "tools/tegula/export/DataObject.h"

#include <elf.h>

#include <cstring>

namespace tegula::cli {

#if defined(__aarch64__)
static constexpr Elf64_Half machine = EM_AARCH64;
#else
static constexpr Elf64_Half machine = EM_X86_64;
#endif

namespace {

/// The sections, in the order of their table.
enum Section : uint8_t { None, Data, Stack, Symbols, SymbolNames, SectionNames, SectionCount };

/// Names with a zero behind each; an index is where one begins.
struct NameList {
  std::string bytes = std::string(1, '\0');
  Elf64_Word add(const std::string &name) {
    const auto at = Elf64_Word(bytes.size());
    bytes += name + '\0';
    return at;
  }
};

class ObjectWriter {
public:
  ObjectWriter() : file(sizeof(Elf64_Ehdr), '\0') { headers[None] = {}; }

  /// Adds a section at the next place that is aligned.
  Elf64_Shdr &add(Section section, const char *name, Elf64_Word type, std::string_view bytes,
                  size_t alignment) {
    file.resize((file.size() + alignment - 1) / alignment * alignment);
    Elf64_Shdr &header = headers[section];
    header = {};
    header.sh_name = names.add(name);
    header.sh_type = type;
    header.sh_offset = file.size();
    header.sh_size = bytes.size();
    header.sh_addralign = alignment;
    file += bytes;
    return header;
  }

  std::string finish() {
    add(SectionNames, ".shstrtab", SHT_STRTAB, "", 1);
    headers[SectionNames].sh_size = names.bytes.size();
    file += names.bytes;
    file.resize((file.size() + 7) / 8 * 8);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_REL;
    header.e_machine = machine;
    header.e_version = EV_CURRENT;
    header.e_shoff = file.size();
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = SectionCount;
    header.e_shstrndx = SectionNames;
    std::memcpy(file.data(), &header, sizeof header);
    file.append(reinterpret_cast<const char *>(headers), sizeof headers);
    return std::move(file);
  }

private:
  std::string file;
  NameList names;
  Elf64_Shdr headers[SectionCount];
};

} // namespace

std::string dataObject(const std::string &name, std::string_view bytes) {
  ObjectWriter writer;
  writer.add(Data, ".rodata.tegula", SHT_PROGBITS, bytes, 64).sh_flags = SHF_ALLOC;
  // Says that no code of this file needs a stack that can be executed.
  writer.add(Stack, ".note.GNU-stack", SHT_PROGBITS, "", 1);
  NameList names;
  Elf64_Sym symbols[3] = {};
  for (int i : {1, 2}) {
    Elf64_Sym &symbol = symbols[i];
    symbol.st_name = names.add(i == 1 ? name : name + "_end");
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    symbol.st_other = STV_HIDDEN;
    symbol.st_shndx = Data;
    symbol.st_value = i == 1 ? 0 : bytes.size();
    symbol.st_size = i == 1 ? bytes.size() : 0;
  }
  Elf64_Shdr &table = writer.add(Symbols, ".symtab", SHT_SYMTAB,
                                 {reinterpret_cast<const char *>(symbols), sizeof symbols}, 8);
  table.sh_link = SymbolNames;
  table.sh_info = 1; // the first symbol that others see
  table.sh_entsize = sizeof(Elf64_Sym);
  writer.add(SymbolNames, ".strtab", SHT_STRTAB, names.bytes, 1);
  return writer.finish();
}

} // namespace tegula::cli
