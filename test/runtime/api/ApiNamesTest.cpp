// Names of a program in the public C++ API: what a host binds them to, and what is wrong with that.
#include "ApiFixture.h"

#include <stdexcept>

namespace {

using ApiNamesTest = ApiFixture;

/// Two sources, as a host has them that knows what their names mean.
std::vector<tegula::Source> boundSources(tegula::HostFunction twice) {
  using V = tegula::Constexpr;
  const tegula::NamedConstexpr language{"tl", V::language("triton.language")};
  const char *const entry =
      "    @triton.jit\n"
      "    def store(x_ptr, N: tl.constexpr, F: tl.constexpr):\n"
      "        i = tl.arange(0, N)\n"
      "        x = F[1](scale(i.to(TYPE)), by=SHIFTS[-1] + (0 if NOTHING is None else 1))\n"
      "        tl.store(x_ptr + i, x + double(OFFSETS['far'], by=2))\n";
  const char *const scale = "@triton.jit\n"
                            "def scaled(x):\n"
                            "    return x * FACTOR + table.offset\n";
  const char *const shift = "@triton.jit\n"
                            "def shifted(x, by):\n"
                            "    return x + by\n";
  return {{"entry.py",
           entry,
           21,
           {{"triton", V::language("triton")},
            {"tl", language.value},
            {"TYPE", tegula::Dtype::f32},
            {"SHIFTS", V::list({1, 7})},
            {"OFFSETS", V::dict({{"near", 1}, {"far", 100}})},
            {"NOTHING", std::nullopt},
            {"scale", V::function("scaled", 1)},
            {"double", V::host("double", std::move(twice))}}},
          {"scale.py",
           scale,
           11,
           {{"triton", V::language("triton")},
            {"FACTOR", 3.0},
            {"table", V::object("module `table`", {{"offset", 5}})}}},
          {"shift.py", shift, 31, {{"triton", V::language("triton")}}}};
}

tegula::Kernel boundKernel(std::vector<tegula::Source> sources) {
  using V = tegula::Constexpr;
  return tegula::Program::parse(std::move(sources), 0)
      .kernel()
      .constexpr_("N", 4)
      .constexpr_("F", V::tuple({V::function("scaled", 1), V::function("shifted", 2)}));
}

TEST_F(ApiNamesTest, NamesMeanWhatTheProgramBindsThemTo) {
  std::vector<std::string> calls;
  auto twice = [&](const std::vector<tegula::NamedConstexpr> &arguments) -> tegula::Constexpr {
    for (const tegula::NamedConstexpr &argument : arguments)
      calls.push_back(argument.name + "=" + std::to_string(argument.value.integer));
    return arguments[0].value.integer * arguments[1].value.integer;
  };
  tegula::Array<float> x(device, std::vector<float>(4));
  boundKernel(boundSources(twice)).launch(device, 1, x);
  EXPECT_EQ(x.download(), (std::vector<float>{212, 215, 218, 221}));
  EXPECT_EQ(calls, (std::vector<std::string>{"=100", "by=2"}));

  // A source binds its own names, and their values are part of the program.
  std::vector<tegula::Source> sources = boundSources(twice);
  sources[1].names["FACTOR"] = tegula::Constexpr(1);
  boundKernel(sources).launch(device, 1, x);
  EXPECT_EQ(x.download(), (std::vector<float>{212, 213, 214, 215}));
}

TEST_F(ApiNamesTest, TuplesMayHaveNamedItems) {
  using V = tegula::Constexpr;
  const V shape = V::namedTuple("Shape", {{"rows", 3}, {"columns", 5}});
  std::vector<std::string> seen;
  auto area = [&](const std::vector<tegula::NamedConstexpr> &arguments) -> V {
    const V &given = arguments[0].value;
    seen = given.names;
    seen.push_back(given.text);
    return given.items[0].integer * given.items[1].integer;
  };
  const char *const text = "@triton.jit\n"
                           "def store(x_ptr, S: tl.constexpr):\n"
                           "    tl.store(x_ptr, S.columns * 100 + SHAPE.rows * 10 + len(SHAPE))\n"
                           "    tl.store(x_ptr + 1, area(SHAPE))\n";
  const tegula::Program program = tegula::Program::parse({{"shape.py",
                                                           text,
                                                           1,
                                                           {{"triton", V::language("triton")},
                                                            {"tl", V::language("triton.language")},
                                                            {"SHAPE", shape},
                                                            {"area", V::host("area", area)}}}});
  tegula::Array<int> x(device, std::vector<int>(2));
  program.kernel().constexpr_("S", shape).launch(device, 1, x);
  EXPECT_EQ(x.download(), (std::vector<int>{532, 15}));
  EXPECT_EQ(seen, (std::vector<std::string>{"rows", "columns", "Shape"}));
}

TEST_F(ApiNamesTest, MistakesOfBoundNamesNameTheirPlace) {
  using P = std::pair<tegula::ErrorKind, std::string>;
  using V = tegula::Constexpr;
  auto refuses = [](const std::vector<tegula::NamedConstexpr> &) -> V {
    throw std::runtime_error("no number");
  };
  auto textOf = [&](const std::vector<tegula::Source> &sources) {
    const auto [kind, text] = thrown([&] { boundKernel(sources).compile({"*fp32"}); });
    EXPECT_EQ(kind, tegula::ErrorKind::Compile);
    return text;
  };
  std::vector<tegula::Source> sources = boundSources(refuses);
  EXPECT_NE(textOf(sources).find("no number"), std::string::npos);
  EXPECT_NE(textOf(sources).find("entry.py:25:"), std::string::npos);
  sources[1].names["FACTOR"] = V::unknown("a buffer");
  EXPECT_NE(textOf(sources).find("scale.py:13:"), std::string::npos);
  EXPECT_NE(textOf(sources).find("a buffer"), std::string::npos);
  sources[1].names.erase("FACTOR");
  EXPECT_NE(textOf(sources).find("name `FACTOR` is not defined"), std::string::npos);

  EXPECT_EQ(thrown([&] { tegula::Program::parse(sources, 3); }),
            P(tegula::ErrorKind::InvalidArgument, "expected the number of one of 3 sources, found 3"));
  sources[1].names["FACTOR"] = V::tuple({V::descriptor({4})});
  EXPECT_EQ(
      thrown([&] { tegula::Program::parse(sources); }),
      P(tegula::ErrorKind::InvalidArgument,
        "the value of `FACTOR`: expected a value that a name can have, found the blocks of a descriptor"));
  EXPECT_EQ(thrown([&] { fill.constexpr_("value", V::host("f", refuses)); }),
            P(tegula::ErrorKind::InvalidArgument,
              "the value of `value`: expected a function that kernels call, found one of the host program"));
}

TEST_F(ApiNamesTest, TypesOfPointersAreValues) {
  auto program = tegula::Program::parse({{"cast.py",
                                          "@triton.jit\ndef put(address, N: tl.constexpr):\n"
                                          "    tl.store(address.to(POINTER) + N, 2.5)\n",
                                          1,
                                          {{"triton", tegula::Constexpr::language("triton")},
                                           {"tl", tegula::Constexpr::language("triton.language")},
                                           {"POINTER", tegula::Constexpr::pointerTo(tegula::Dtype::f32)}}}});
  tegula::Array<float> x(device, std::vector<float>(4));
  program.kernel().constexpr_("N", 1).launch(device, 1, int64_t(x.address()));
  EXPECT_EQ(x.download(), (std::vector<float>{0, 2.5f, 0, 0}));
}

} // namespace
