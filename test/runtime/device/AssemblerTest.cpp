// The assemblers: stand-ins that say what they are told, and the real ones where a machine has them.
#include "runtime/device/assembler/AssemblerLog.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace tegula;
using namespace tegula::runtime;
namespace fs = std::filesystem;

namespace {

using AssemblerResult = Result<std::shared_ptr<const Assembler>>;

constexpr const char *addPtx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry add_kernel(.param .u64 x) {
  .reg .b64 %rd<2>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [x];
  ld.global.f32 %f1, [%rd1];
  mul.f32 %f2, %f1, %f1;
  add.f32 %f3, %f2, %f1;
  st.global.f32 [%rd1], %f3;
  ret;
}
)";

/// A folder for stand-ins, which goes with the test.
struct Folder {
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "tegula-test-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path); }
  /// nvJitLink under the name by which it is looked for.
  void addJitLink(const char *library) const { fs::create_symlink(library, path + "/libnvJitLink.so.13"); }
  std::string addProgram(const std::string &name, const std::string &script) const {
    const std::string file = path + "/" + name;
    std::ofstream(file) << "#!/bin/sh\n" << script;
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  std::string path;
};

/// The place for temporary files is a folder of the test alone: other tests leave theirs at any time.
class Ptxas : public testing::Test {
protected:
  void SetUp() override { setenv("TMPDIR", temporary.path.c_str(), 1); }
  void TearDown() override { unsetenv("TMPDIR"); }
  bool leftNothing() const { return fs::is_empty(temporary.path); }
  Folder folder;
  Folder temporary;
};

TEST(AssemblerLog, ReadsRegistersAndSpillsOfEachEntry) {
  const std::vector<EntryResources> entries =
      readResources("ptxas info    : 0 bytes gmem\n"
                    "ptxas info    : Compiling entry function 'a' for 'sm_90a'\n"
                    "ptxas info    : Function properties for helper\n"
                    "    640 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n"
                    "ptxas info    : Function properties for a\n"
                    "    64 bytes stack frame, 60 bytes spill stores, 56 bytes spill loads\n"
                    "ptxas info    : Used 255 registers, used 1 barriers\n"
                    "ptxas info    : Compiling entry function 'b' for 'sm_90a'\n"
                    "ptxas info    : Function properties for b\n"
                    "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                    "ptxas info    : Used 26 registers, used 0 barriers\n"
                    "info    : Function properties for 'b':\n"
                    "info    : used 24 registers, used 0 barriers, 0 stack");
  EXPECT_EQ(entries, (std::vector<EntryResources>{{"a", 255, 64, 60, 56}, {"b", 26, 0, 0, 0}}));
  EXPECT_TRUE(readResources("").empty());
  EXPECT_TRUE(readResources("Used 3 registers\n 4 bytes stack frame").empty());
  EXPECT_EQ(readResources("Compiling entry function 'a' for\nUsed  registers").front().registers, 0u);
}

TEST(AssemblerLog, ReadsWhatIsWarnedOfOnce) {
  EXPECT_EQ(readWarnings("ptxas info    : (C7519) warpgroup.arrive is injected in around line 12\n"
                         "ptxas info    : Used 26 registers, used 0 barriers\n"
                         "ptxas info    : (C7519) warpgroup.arrive is injected in around line 12\n"
                         "ptxas kernel.ptx, line 3; warning : register %r1 is read before it is set\n"),
            (std::vector<std::string>{"(C7519) warpgroup.arrive is injected in around line 12",
                                      "warning : register %r1 is read before it is set"}));
  EXPECT_TRUE(readWarnings("ptxas info    : (C7000) something else\n").empty());
}

TEST(AssemblerLog, TellsAnAssemblerThatIsTooOldFromPtxThatIsWrong) {
  const Error old = assemblyError(
      "`ptxas`", "sm_90a",
      "ptxas a.ptx, line 1; fatal   : Unsupported .version 9.5; current version is '9.0'\n", "");
  EXPECT_EQ(old.kind, ErrorKind::Unavailable);
  EXPECT_EQ(old.text, "`ptxas` is too old for PTX 9.5: it knows PTX up to 9.0");
  for (const char *log :
       {"ptxas fatal   : Value 'sm_120a' is not defined for option 'gpu-name'",
        "ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: unrecognized architecture (compute_120a)"}) {
    const Error unknown = assemblyError("`ptxas`", "sm_120a", log, "");
    EXPECT_EQ(unknown.kind, ErrorKind::Unavailable);
    EXPECT_EQ(unknown.text, "`ptxas` does not know the architecture sm_120a");
  }
  const Error wrong = assemblyError("`ptxas`", "sm_90a", "line 7; error : Unknown symbol 'x'\n\n", "");
  EXPECT_EQ(wrong.kind, ErrorKind::Compile);
  EXPECT_EQ(wrong.text, "cannot assemble for sm_90a: `ptxas` failed:\nline 7; error : Unknown symbol 'x'");
  EXPECT_EQ(assemblyError("`ptxas`", "sm_90a", "", "").text, "cannot assemble for sm_90a: `ptxas` failed");
}

TEST(AssemblerLog, SaysWhereInTheSourceALineOfPtxCameFrom) {
  const char *ptx =
      ".visible .entry k()\n{\n\tret;\n\t.loc\t1 12 5\n\tfrobnicate;\n\t.loc 2 3 4, function_name $L, "
      "inlined_at 1 9 1\n\tother;\n}\n\t.file\t1 \"folder/a.py\"\n\t.file\t2 \"b.py\"\n";
  EXPECT_EQ(withSourcePlaces("in, line 5; error : no\nin, line 7; error : never\nfatal : aborted", ptx),
            "folder/a.py:12:5: in, line 5; error : no\nb.py:3:4: in, line 7; error : never\nfatal : aborted");
  // Nothing is said of lines before the first place, of other numbers, and of text without places.
  for (const char *log : {"line 3; error", "line x; error", "line 5 error", "line 99999999999; error", ""})
    EXPECT_EQ(withSourcePlaces(log, ptx), log);
  EXPECT_EQ(withSourcePlaces("line 1; error", "frobnicate;"), "line 1; error");
  EXPECT_EQ(withSourcePlaces("line 2; error", ".loc 7 1 1\nx;"), "line 2; error")
      << "a file that has no name";
  EXPECT_EQ(assemblyError("`ptxas`", "sm_90a", "line 5; error : no\n", ptx).text,
            "cannot assemble for sm_90a: `ptxas` failed:\nfolder/a.py:12:5: line 5; error : no");
}

TEST(NvJitLink, IsToldTheOptions) {
  Folder folder;
  folder.addJitLink(TEGULA_FAKE_JITLINK);
  AssemblerResult jitLink = openNvJitLink({"/nowhere", folder.path});
  ASSERT_TRUE(jitLink) << jitLink.error().text;
  EXPECT_TRUE((*jitLink)->name().starts_with("nvJitLink 13.7 (" + folder.path)) << (*jitLink)->name();
  Result<MachineCode> code = (*jitLink)->assemble(".version 8.0", {.arch = "sm_90a"});
  ASSERT_TRUE(code) << code.error().text;
  EXPECT_EQ(code->bytes, "\177ELF -arch=sm_90a -O3 -verbose -lineinfo");
  EXPECT_EQ(code->assembler, (*jitLink)->name());
  EXPECT_EQ(code->entries, (std::vector<EntryResources>{{"add_kernel", 255, 96, 92, 88}}));
  code = (*jitLink)->assemble(
      ".version 8.0", {.arch = "sm_80", .maxRegisters = 64, .lineInfo = false, .fuseMultiplyAdd = false});
  ASSERT_TRUE(code);
  EXPECT_EQ(code->bytes, "\177ELF -arch=sm_80 -O3 -verbose -maxrregcount=64 -Xptxas=--fmad=false");
  code = (*jitLink)->assemble("fail:error : no such instruction", {.arch = "sm_90a"});
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().kind, ErrorKind::Compile);
  EXPECT_EQ(code.error().text,
            "cannot assemble for sm_90a: " + (*jitLink)->name() + " failed:\nerror : no such instruction");
}

// It assembles relocatable code, in which `setmaxnreg` is ignored: attention spilled, and its products waited
// for each other.
TEST(NvJitLink, RegistersThatPassBetweenWarpsAreForOthersToAssemble) {
  Folder folder;
  folder.addJitLink(TEGULA_FAKE_JITLINK);
  AssemblerResult jitLink = openNvJitLink({folder.path});
  ASSERT_TRUE(jitLink) << jitLink.error().text;
  const char *ptx = ".version 8.0\n\tsetmaxnreg.dec.sync.aligned.u32 24;\n";
  Result<MachineCode> code = (*jitLink)->assemble(ptx, {.arch = "sm_90a"});
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().kind, ErrorKind::Unavailable);
  EXPECT_EQ(code.error().text,
            (*jitLink)->name() + " links what it assembles, and ignores `setmaxnreg` there");
  EXPECT_TRUE(handsRegistersOver(ptx));
  EXPECT_FALSE(handsRegistersOver(".version 8.0"));
}

TEST(NvJitLink, OldNamesAreFoundAndALibraryWithoutThemIsPassedOver) {
  Folder old, incomplete;
  old.addJitLink(TEGULA_FAKE_JITLINK_OLD);
  incomplete.addJitLink(TEGULA_FAKE_JITLINK_INCOMPLETE);
  AssemblerResult jitLink = openNvJitLink({incomplete.path, old.path});
  ASSERT_TRUE(jitLink) << jitLink.error().text;
  EXPECT_TRUE((*jitLink)->name().starts_with("nvJitLink (" + old.path)) << (*jitLink)->name();
  EXPECT_TRUE((*jitLink)->assemble(".version 8.0", {.arch = "sm_90a"}));
}

TEST_F(Ptxas, IsRunWithTheOptionsAndLeavesNothing) {
  // The words and the PTX are the code.
  const std::string program =
      folder.addProgram("ptxas", "for last; do :; done; { echo \"$@\" | sed 's| /[^ ]*||g'; cat "
                                 "\"${@%.cubin}\" 2>/dev/null; } >\"$last\"\n"
                                 "echo \"ptxas info    : Compiling entry function 'f' for 'sm_90a'\" >&2\n"
                                 "echo 'ptxas info    : Used 12 registers' >&2\n");
  AssemblerResult ptxas = openPtxas(program);
  ASSERT_TRUE(ptxas) << ptxas.error().text;
  EXPECT_EQ((*ptxas)->name(), "`" + program + "`");
  Result<MachineCode> code = (*ptxas)->assemble(".version 8.0", {.arch = "sm_90a"});
  ASSERT_TRUE(code) << code.error().text;
  EXPECT_TRUE(code->bytes.starts_with("-arch=sm_90a -O3 -v -lineinfo -o\n")) << code->bytes;
  EXPECT_EQ(code->entries, (std::vector<EntryResources>{{"f", 12}}));
  code = (*ptxas)->assemble(
      ".version 8.0", {.arch = "sm_80", .maxRegisters = 64, .lineInfo = false, .fuseMultiplyAdd = false});
  ASSERT_TRUE(code) << code.error().text;
  EXPECT_TRUE(code->bytes.starts_with("-arch=sm_80 -O3 -v -maxrregcount=64 --fmad=false -o\n"))
      << code->bytes;
  EXPECT_TRUE(leftNothing());
}

TEST_F(Ptxas, ItsMessagesAreTheError) {
  const std::string program =
      folder.addProgram("ptxas", "echo 'ptxas fatal : nothing works' >&2; exit 255\n");
  Result<MachineCode> code = (*openPtxas(program))->assemble(".version 8.0", {.arch = "sm_90a"});
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().kind, ErrorKind::Compile);
  EXPECT_EQ(code.error().text,
            "cannot assemble for sm_90a: `" + program + "` failed:\nptxas fatal : nothing works");
  EXPECT_TRUE(leftNothing());
  // A program that says it is content and writes nothing.
  code = (*openPtxas(folder.addProgram("idle", "")))->assemble("", {.arch = "sm_90a"});
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().kind, ErrorKind::Io);
  EXPECT_NE(code.error().text.find("kernel.cubin`: No such file or directory"), std::string::npos);
  AssemblerResult none = openPtxas(folder.path + "/none");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().text, "no `ptxas`: `" + folder.path + "/none` is no program");
}

TEST_F(Ptxas, WithoutAPlaceForFilesIsAnError) {
  setenv("TMPDIR", "/proc/self", 1);
  Result<MachineCode> code = (*openPtxas("/bin/true"))->assemble("", {.arch = "sm_90a"});
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().kind, ErrorKind::Io);
  EXPECT_TRUE(code.error().text.starts_with("cannot make a temporary folder: ")) << code.error().text;
}

/// The driver's assembler over the driver that has no device behind it.
class DriverAssembler : public testing::Test {
protected:
  void SetUp() override {
    handle = dlopen(TEGULA_FAKE_CUDA, RTLD_NOW);
    ASSERT_NE(handle, nullptr) << dlerror();
    control<void()>("fakeReset")();
    AssemblerResult opened = openDriverAssembler(0, TEGULA_FAKE_CUDA);
    ASSERT_TRUE(opened) << opened.error().text;
    driver = *opened;
  }
  template <typename F> F *control(const char *name) { return reinterpret_cast<F *>(dlsym(handle, name)); }
  Error failure(const char *symbol, int code, const char *log) {
    control<void(const char *, int)>("fakeFail")(symbol, code);
    control<void(const char *)>("fakeLog")(log);
    Result<MachineCode> made = driver->assemble(".version 8.0", {.arch = "sm_90a"});
    return made ? Error{ErrorKind::Io, "assembled"} : made.error();
  }
  void *handle = nullptr;
  std::shared_ptr<const Assembler> driver;
};

TEST_F(DriverAssembler, IsToldTheOptions) {
  EXPECT_EQ(driver->name(), "the assembler of driver 12.4");
  Result<MachineCode> code = driver->assemble(".version 8.0", {.arch = "sm_90a", .maxRegisters = 64});
  ASSERT_TRUE(code) << code.error().text;
  EXPECT_EQ(code->bytes, "\177ELF 4=16383 6=16383 12=1 13=1 0=64");
  EXPECT_EQ(code->entries, (std::vector<EntryResources>{{"add_kernel", 26}}));
  const std::string calls = control<const char *()>("fakeCalls")();
  EXPECT_NE(calls.find("cuLinkAddData_v2(1 13)\ncuLinkComplete()\ncuLinkDestroy()\n"), std::string::npos)
      << calls;
}

TEST_F(DriverAssembler, Errors) {
  Error error = failure("cuLinkAddData_v2", 218, "line 7; error : Unknown symbol");
  EXPECT_EQ(error.kind, ErrorKind::Compile);
  EXPECT_EQ(
      error.text,
      "cannot assemble for sm_90a: the assembler of driver 12.4 failed:\nline 7; error : Unknown symbol");
  error = failure("cuLinkComplete", 222, "");
  EXPECT_EQ(error.kind, ErrorKind::Unavailable);
  EXPECT_EQ(error.text, "cannot assemble for sm_90a: the assembler of driver 12.4 failed: code 222");
  error = failure("cuLinkCreate_v2", 1, "");
  EXPECT_EQ(error.text,
            "cannot assemble for sm_90a: `cuLinkCreate_v2` failed with CUDA_ERROR_INVALID_VALUE (text "
            "of the driver)");
  error = failure("cuLinkComplete", 700, "");
  EXPECT_EQ(error.kind, ErrorKind::Fault);
  error = failure("cuCtxSetCurrent", 1, "");
  EXPECT_EQ(error.text,
            "cannot assemble for sm_90a: `cuCtxSetCurrent` failed with CUDA_ERROR_INVALID_VALUE (text "
            "of the driver)");
}

TEST_F(DriverAssembler, WhatItCannotDoIsUnavailable) {
  Result<MachineCode> other = driver->assemble("", {.arch = "sm_80"});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::Unavailable);
  EXPECT_EQ(other.error().text, "the assembler of driver 12.4 assembles for sm_90 only, not for sm_80");
  Result<MachineCode> apart = driver->assemble("", {.arch = "sm_90a", .fuseMultiplyAdd = false});
  ASSERT_FALSE(apart);
  EXPECT_EQ(apart.error().kind, ErrorKind::Unavailable);
  EXPECT_EQ(apart.error().text,
            "the assembler of driver 12.4 has no option against fusing multiplications and additions");
}

/// Two products of a group of warps with an addition to their sums between them: the first is waited for.
const char *const serialPtx = R"(
.version 8.0
.target sm_90a
.address_size 64
.visible .entry serial(.param .u64 out, .param .u64 matrix) {
  .reg .f32 %f<4>;
  .reg .b64 %d<2>;
  ld.param.b64 %d0, [matrix];
  ld.param.b64 %d1, [out];
  mov.f32 %f0, 0f00000000;
  mov.f32 %f1, 0f00000000;
  mov.f32 %f2, 0f00000000;
  mov.f32 %f3, 0f00000000;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d0, %d0, 1, 1, 1, 0, 0;
  add.f32 %f0, %f0, 0f3F800000;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d0, %d0, 1, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  st.global.v4.f32 [%d1], {%f0, %f1, %f2, %f3};
  ret;
}
)";

/// Expects what holds of every real assembler.
void expectAssembles(const Assembler &assembler) {
  Result<MachineCode> code = assembler.assemble(addPtx, {.arch = "sm_90a"});
  ASSERT_TRUE(code) << code.error().text;
  EXPECT_TRUE(code->bytes.starts_with("\177ELF"));
  ASSERT_EQ(code->entries.size(), 1u);
  EXPECT_EQ(code->entries[0].entry, "add_kernel");
  EXPECT_GT(code->entries[0].registers, 0u);
  EXPECT_EQ(code->entries[0].spillStoreBytes, 0u);
  EXPECT_EQ(code->warnings, std::vector<std::string>());

  Result<MachineCode> serial = assembler.assemble(serialPtx, {.arch = "sm_90a"});
  ASSERT_TRUE(serial) << serial.error().text;
  ASSERT_FALSE(serial->warnings.empty());
  EXPECT_TRUE(serial->warnings.front().starts_with("(C75")) << serial->warnings.front();

  Result<MachineCode> apart = assembler.assemble(addPtx, {.arch = "sm_90a", .fuseMultiplyAdd = false});
  ASSERT_TRUE(apart) << apart.error().text;
  EXPECT_NE(apart->bytes, code->bytes) << "the multiplication and the addition are one instruction";

  Result<MachineCode> future = assembler.assemble(".version 99.9\n.target sm_90a\n", {.arch = "sm_90a"});
  ASSERT_FALSE(future);
  EXPECT_EQ(future.error().kind, ErrorKind::Unavailable);
  EXPECT_TRUE(
      future.error().text.starts_with(assembler.name() + " is too old for PTX 99.9: it knows PTX up to "))
      << future.error().text;
  Result<MachineCode> unknown = assembler.assemble(addPtx, {.arch = "sm_999a"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().text, assembler.name() + " does not know the architecture sm_999a");
  Result<MachineCode> wrong =
      assembler.assemble(".version 8.0\n.target sm_90a\nnonsense\n", {.arch = "sm_90a"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::Compile);
  EXPECT_NE(wrong.error().text.find("nonsense"), std::string::npos) << wrong.error().text;
}

TEST(NvJitLink, TheRealOneAssembles) {
  AssemblerResult jitLink = openNvJitLink();
  if (!jitLink)
    GTEST_SKIP() << jitLink.error().text;
  expectAssembles(**jitLink);
}

TEST(NvJitLink, TheRealOneAssemblesInManyThreads) {
  AssemblerResult jitLink = openNvJitLink();
  if (!jitLink)
    GTEST_SKIP() << jitLink.error().text;
  const std::string alone = (*jitLink)->assemble(addPtx, {.arch = "sm_90a"})->bytes;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 4; ++turn) {
        Result<MachineCode> code = (*jitLink)->assemble(addPtx, {.arch = "sm_90a"});
        ASSERT_TRUE(code) << code.error().text;
        EXPECT_EQ(code->bytes.size(), alone.size());
      }
    });
}

TEST_F(Ptxas, TheRealOneAssembles) {
  AssemblerResult ptxas = openPtxas();
  if (!ptxas)
    GTEST_SKIP() << ptxas.error().text;
  expectAssembles(**ptxas);
}

TEST(Assembler, TheNextIsAskedWhereOneIsTooOld) {
  Folder folder;
  folder.addJitLink(TEGULA_FAKE_JITLINK);
  fs::create_directory(folder.path + "/bin");
  folder.addProgram(
      "bin/ptxas",
      "for last; do :; done; ptx=$(cat \"${last%cubin}ptx\")\n"
      "case $ptx in\n"
      "*9.5*) echo \"ptxas fatal: Unsupported .version 9.5; current version is '9.0'\" >&2; exit 1;;\n"
      "*instruction*) echo \"ptxas kernel.ptx, line 1; error: no such instruction\" >&2; exit 1;;\n"
      "esac\necho code >\"$last\"\n");
  const std::string home = std::getenv("CUDA_HOME") ? std::getenv("CUDA_HOME") : "";
  setenv("CUDA_HOME", folder.path.c_str(), 1);
  setAssemblerFolders({folder.path});
  Result<MachineCode> first = assemble(".version 8.0", {.arch = "sm_90a"});
  Result<MachineCode> second = assemble(".version 9.5", {.arch = "sm_90a"});
  Result<MachineCode> wrong = assemble("no such instruction", {.arch = "sm_90a"});
  Result<MachineCode> whole = assemble("setmaxnreg.inc.sync.aligned.u32 240;", {.arch = "sm_90a"});
  AssemblerResult found = findAssembler();
  if (home.empty())
    unsetenv("CUDA_HOME");
  else
    setenv("CUDA_HOME", home.c_str(), 1);
  setAssemblerFolders({});
  ASSERT_TRUE(first) << first.error().text;
  EXPECT_EQ(first->assembler, "`" + folder.path + "/bin/ptxas`");
  EXPECT_EQ(first->bytes, "code\n");
  ASSERT_TRUE(second) << second.error().text;
  EXPECT_TRUE(second->assembler.starts_with("nvJitLink 13.7")) << second->assembler;
  ASSERT_TRUE(whole) << whole.error().text;
  EXPECT_EQ(whole->assembler, first->assembler);
  ASSERT_FALSE(wrong) << "wrong PTX is wrong for every assembler";
  EXPECT_EQ(wrong.error().kind, ErrorKind::Compile);
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)->name(), first->assembler);
}

} // namespace
