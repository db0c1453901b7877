// Makes pages and random layouts for the tests of the page:
//
//   insight-pages page DOCUMENT.json PAGE.html [BEFORE.json]   writes the page of a document
//   insight-pages layouts COUNT                                prints random layouts with what `picture`
//   draws of them
#include "dialect/layout/Picture.h"
#include "runtime/host/Files.h"
#include "test/dialect/layout/RandomLayout.h"
#include "tools/insight/page/Page.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;

static std::string read(const char *path) {
  runtime::Result<std::string> text = runtime::readFile(path, size_t(1) << 28);
  if (!text)
    llvm::report_fatal_error("the document cannot be read");
  return *text;
}

static void writeAxes(llvm::json::OStream &json, llvm::StringRef name, const std::vector<DimBits> &axes) {
  json.attributeArray(name, [&] {
    for (const DimBits &axis : axes)
      json.value(llvm::json::Array{llvm::StringRef(dimName(axis.dim)), int64_t(axis.bits)});
  });
}

/// Writes a layout as the schema has it, and the cells of its picture row by row.
static void writeLayout(llvm::json::OStream &json, const LinearLayout &layout) {
  json.object([&] {
    writeAxes(json, "ins", layout.ins());
    writeAxes(json, "outs", layout.outs());
    json.attributeArray("bases", [&] {
      for (const DimBits &in : layout.ins())
        for (unsigned bit = 0; bit < in.bits; ++bit)
          json.array([&] {
            for (const DimBits &out : layout.outs())
              json.value(layout.basis(in.dim, bit, out.dim));
          });
    });
    json.attributeArray("cells", [&] {
      const std::string text = picture(layout, 1 << 10, 1 << 10);
      llvm::SmallVector<llvm::StringRef> cells;
      llvm::SplitString(text, cells, " \n");
      for (llvm::StringRef cell : cells)
        json.value(cell);
    });
  });
}

static void writeLayouts(unsigned count) {
  std::mt19937_64 random(1);
  llvm::json::OStream json(llvm::outs());
  json.array([&] {
    for (unsigned i = 0; i < count; ++i) {
      const bool isMemory = testing::pick(random, 8) == 0;
      std::vector<DimBits> ins =
          isMemory ? testing::randomDims(random, {Dim::Offset}, 7)
                   : testing::randomDims(random, {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block}, 3);
      std::vector<Dim> outs{Dim::Dim0, Dim::Dim1};
      outs.resize(testing::pick(random, 3));
      writeLayout(json, testing::randomLayout(random, ins, testing::randomDims(random, outs, 4)));
    }
  });
}

int main(int count, char **words) {
  const llvm::StringRef what = count > 1 ? words[1] : "";
  if (what == "layouts" && count == 3) {
    writeLayouts(unsigned(std::atoi(words[2])));
    return 0;
  }
  if (what != "page" || count < 4)
    return 2;
  const std::string before = count > 4 ? read(words[4]) : std::string();
  return runtime::writeFile(words[3], explain::insightPage(read(words[2]), before)) ? 0 : 1;
}
