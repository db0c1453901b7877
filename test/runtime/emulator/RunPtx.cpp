#include "test/runtime/emulator/RunPtx.h"

namespace tegula::runtime::test {

std::vector<uint64_t> evaluate(const std::string &body, unsigned width, const std::vector<uint64_t> &a,
                               const std::vector<uint64_t> &b, const std::vector<uint64_t> &c) {
  constexpr size_t threads = 128;
  const size_t count = a.size(), blocks = (count + threads - 1) / threads;
  std::string text = R"(.reg .b16 %ha, %hb, %hc, %ho;
.reg .b32 %ra, %rb, %rc, %ro;
.reg .b64 %da, %db, %dc, %do, %index, %at;
.reg .pred %pa, %pb, %po;
mov.u32 %r0, %ctaid.x;
mad.lo.s32 %r1, %r0, 128, %r31;
mul.wide.u32 %index, %r1, 8;
)";
  for (const char *name : {"a", "b", "c"}) {
    const std::string n = name, param = std::to_string(name[0] - 'a');
    text += "add.s64 %at, %p" + param + ", %index;\nld.global.b64 %d" + n + ", [%at];\ncvt.u32.u64 %r" + n +
            ", %d" + n + ";\ncvt.u16.u64 %h" + n + ", %d" + n + ";\n";
  }
  text += body + "\nadd.s64 %at, %p3, %index;\n";
  if (width == 1)
    text += "selp.b64 %do, 1, 0, %po;\n";
  else if (width != 64)
    text += width == 32 ? "cvt.u64.u32 %do, %ro;\n" : "cvt.u64.u16 %do, %ho;\n";
  text += "st.global.b64 [%at], %do;\n";
  Runner run;
  const auto padded = [&](std::vector<uint64_t> values) {
    values.resize(blocks * threads);
    return run.upload(values);
  };
  const DeviceAddress out = run.fresh(blocks * threads * 8);
  const std::string error = run.launch(kernel(text, 4), {padded(a), padded(b), padded(c), out}, threads / 32,
                                       {uint32_t(blocks), 1, 1});
  EXPECT_EQ(error, "") << body;
  return error.empty() ? run.download<uint64_t>(out, count) : std::vector<uint64_t>(count, 0xdeadbeef);
}

} // namespace tegula::runtime::test
