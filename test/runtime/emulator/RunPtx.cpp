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

std::string choose(const std::string &text, bool right) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool doubled = i + 1 < text.size() && text[i + 1] == text[i];
    if ((text[i] == '{' || text[i] == '}') && doubled) {
      out += text[i++];
    } else if (text[i] == '{') {
      const size_t bar = text.find('|', i), end = text.find('}', bar);
      out += right ? text.substr(bar + 1, end - bar - 1) : text.substr(i + 1, bar - i - 1);
      i = end;
    } else {
      out += text[i];
    }
  }
  return out;
}

} // namespace tegula::runtime::test
