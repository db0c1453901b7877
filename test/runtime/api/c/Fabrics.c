#include "Check.h"

static const char *const kernelText =
    "import triton\n"
    "import triton.language as tl\n"
    "@triton.jit\n"
    "def pass_on(arrays, out, rank, WORLD: tl.constexpr):\n"
    "    i = tl.arange(0, 32)\n"
    "    there = tl.load(arrays + (rank + 1) % WORLD).to(tl.pointer_type(tl.int32))\n"
    "    tl.store(out + i, tl.load(there + i))\n";

enum { world = 3, count = 32 };

typedef struct ranks {
  tegula_fabric *fabric;
  tegula_kernel *kernel;
  int32_t x[world][count], y[world][count];
  bool meets; /* between writing x and reading that of a peer */
  int failing;
  int failed[world];
} ranks;

/* Null, or the error with which a rank ends. */
static tegula_error *hostOf(ranks *all, uint32_t rank) {
  tegula_device *device = NULL;
  tegula_error *error = tegula_fabric_get_device(all->fabric, rank, &device);
  uint64_t table = 0, out = 0, addresses[world];
  for (int i = 0; i < world; ++i)
    addresses[i] = (uint64_t)(uintptr_t)all->x[i];
  if (!error)
    error = tegula_fabric_share(all->fabric, rank, 0, all->x[rank], sizeof all->x[rank], false);
  if (!error)
    error = tegula_fabric_meet(all->fabric, false);
  for (int i = 0; i < count; ++i)
    all->x[rank][i] = (int32_t)rank * 100 + i;
  if (!error && all->meets)
    error = tegula_fabric_meet(all->fabric, true);
  if (!error)
    error = tegula_device_allocate(device, sizeof addresses, &table);
  if (!error)
    error = tegula_device_upload(device, table, addresses, sizeof addresses);
  if (!error)
    error = tegula_device_allocate(device, sizeof all->y[rank], &out);
  const tegula_argument arguments[] = {pointerTo(table, TEGULA_I64), pointerTo(out, TEGULA_I32),
                                       integer(rank)};
  const uint32_t grid[3] = {1, 1, 1};
  if (!error)
    error = tegula_kernel_launch(all->kernel, device, grid, arguments, 3, NULL);
  if (!error)
    error = tegula_device_download(device, all->y[rank], out, sizeof all->y[rank]);
  tegula_device_close(device);
  return error;
}

static bool host(void *context, uint32_t rank) {
  ranks *all = context;
  if (all->failing == (int)rank)
    return false;
  tegula_error *error = hostOf(all, rank);
  all->failed[rank] = error != NULL;
  tegula_error_free(error);
  return all->failed[rank] == 0;
}

static tegula_error *run(ranks *all, uint64_t seed, uint32_t *culprit) {
  const tegula_fabric_options options = {.size = sizeof options, .world = world};
  OK(tegula_fabric_create(&options, &all->fabric));
  tegula_error *error = tegula_fabric_run(all->fabric, seed, true, host, all, culprit);
  tegula_fabric_close(all->fabric);
  return error;
}

static void testRanks(void) {
  const tegula_named_value values[] = {{"WORLD", {.kind = TEGULA_VALUE_INT, .of.integer = world}}};
  const tegula_kernel_options options = {.size = sizeof options, .constexprs = values, .constexpr_count = 1};
  ranks all = {.meets = true, .failing = -1};
  all.kernel = kernelOf(kernelText, &options);
  for (uint64_t seed = 0; seed < 5; ++seed) {
    OK(run(&all, seed, NULL));
    for (int rank = 0; rank < world; ++rank)
      for (int i = 0; i < count; ++i)
        CHECK(all.y[rank][i] == (rank + 1) % world * 100 + i);
  }

  /* Without the meeting nothing orders what a host writes before the kernels of the others. */
  all.meets = false;
  memset(all.x, 0, sizeof all.x);
  uint32_t culprit = 99;
  tegula_error *error = run(&all, 1, &culprit);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_FAULT && culprit < world);
  CHECK(error && strstr(tegula_error_text(error), "race between ranks at rank "));
  tegula_error_free(error);

  /* The failure of one ends all others. */
  all.meets = true;
  all.failing = 1;
  error = run(&all, 0, &culprit);
  CHECK(error && culprit == 1);
  if (error)
    CHECK_TEXT(tegula_error_text(error), "the host of rank 1 has failed");
  CHECK(all.failed[0] && all.failed[2]);
  tegula_error_free(error);
  tegula_kernel_free(all.kernel);
}

static void testRefusals(void) {
  tegula_fabric *fabric = NULL;
  tegula_device *device = NULL;
  tegula_fabric_options options = {.size = sizeof options};
  int x[4];
  FAILS(tegula_fabric_create(NULL, &fabric), TEGULA_INVALID_ARGUMENT, "expected `options`, found null");
  FAILS(tegula_fabric_create(&options, &fabric), TEGULA_INVALID_ARGUMENT,
        "expected a fabric of 1 to 64 devices, found 0");
  options.world = 2;
  OK(tegula_fabric_create(&options, &fabric));
  FAILS(tegula_fabric_get_device(fabric, 2, &device), TEGULA_INVALID_ARGUMENT,
        "expected a rank below 2, found 2");
  FAILS(tegula_fabric_share(fabric, 7, 0, x, sizeof x, false), TEGULA_INVALID_ARGUMENT,
        "expected a rank below 2, found 7");
  FAILS(tegula_fabric_share(fabric, 0, 0, NULL, 4, false), TEGULA_INVALID_ARGUMENT,
        "expected `memory`, found null");
  FAILS(tegula_fabric_meet(fabric, true), TEGULA_INVALID_ARGUMENT,
        "only the host of a rank that a fabric runs may wait for the others");
  FAILS(tegula_fabric_run(fabric, 0, true, NULL, NULL, NULL), TEGULA_INVALID_ARGUMENT,
        "expected `host`, found null");
  /* A device keeps the fabric that it is of. */
  OK(tegula_fabric_get_device(fabric, 1, &device));
  tegula_fabric_close(fabric);
  tegula_fabric_close(NULL);
  OK(tegula_device_synchronize(device));
  tegula_device_close(device);
}

void testFabrics(void) {
  testRanks();
  testRefusals();
}
