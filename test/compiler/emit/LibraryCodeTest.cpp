// Code of libraries, whatever has happened to their bytes.
#include "compiler/emit/libraries/LibraryCode.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <csignal>
#include <random>

using namespace tegula;

namespace {

constexpr const char *Source = R"(
target triple = "nvptx64-nvidia-cuda"
@table = internal addrspace(4) constant [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0]
define float @inner(float %x, i32 %i) {
  %at = getelementptr [4 x float], ptr addrspace(4) @table, i32 0, i32 %i
  %value = load float, ptr addrspace(4) %at, !range.of !0
  %sum = fadd float %value, %x
  ret float %sum
}
define float @outer(float %x, ptr %counts) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%next, %loop]
  %a = phi float [%x, %entry], [%b, %loop]
  %b = call float @inner(float %a, i32 %i)
  %old = atomicrmw add ptr %counts, i32 1 syncscope("device") monotonic
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret float %b
}
!0 = !{!"a note"}
)";

std::string bitcode() {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(Source, problem, context);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (module)
    llvm::WriteBitcodeToFile(*module, stream);
  return bytes;
}

std::shared_ptr<const LibraryCode> extract(const std::string &bytes, const std::string &digest) {
  auto file = std::make_shared<const LibraryFile>(
      LibraryFile{llvm::MemoryBuffer::getMemBufferCopy(bytes, "mine"), digest});
  return extractCode(Library{"mine", "mine.bc", file}, {"outer"});
}

TEST(LibraryCode, WholeBytesGiveWhatIsNeeded) {
  const std::shared_ptr<const LibraryCode> code = extract(bitcode(), "whole");
  EXPECT_EQ(code->problem, "");
  EXPECT_NE(code->bitcode, "");
}

// Some of these send LLVM's reader astray: it follows numbers that it has read.
TEST(LibraryCode, DamagedBytesAreAnErrorOrOtherCode) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer reports what is survived here";
#endif
  const std::string whole = bitcode();
  ASSERT_NE(whole, "");
  struct sigaction before, after;
  sigaction(SIGSEGV, nullptr, &before);
  std::mt19937 random(7);
  unsigned refused = 0, crashed = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    std::string bytes = whole;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
      bytes[random() % bytes.size()] ^= char(1u << random() % 8);
    const std::shared_ptr<const LibraryCode> code = extract(bytes, "damaged" + std::to_string(round));
    refused += !code->problem.empty();
    crashed += code->problem.find("cannot read it: `mine` (mine.bc)") != std::string::npos;
    EXPECT_TRUE(code->problem.empty() != code->bitcode.empty()) << code->problem;
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(crashed, 0u);
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(before.sa_sigaction, after.sa_sigaction) << "handlers of the process are its own again";
}

} // namespace
