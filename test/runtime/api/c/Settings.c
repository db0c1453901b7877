/* What holds for the whole process. */
#define _POSIX_C_SOURCE 200809L
#include "Check.h"

#include <dirent.h>
#include <unistd.h>

static int entriesOf(const char *folder) {
  DIR *open = opendir(folder);
  int count = 0;
  for (struct dirent *entry; open && (entry = readdir(open));)
    count += strlen(entry->d_name) > 7 && strcmp(entry->d_name + strlen(entry->d_name) - 7, ".tegula") == 0;
  if (open)
    closedir(open);
  return count;
}

/* Compiles `fill` of a text that no call before has had. */
static void compileAnew(tegula_device *device) {
  static int number = 0;
  char text[1024];
  snprintf(text, sizeof text, "%s# %d\n", fillSource, number++);
  tegula_kernel *kernel = kernelOf(text, NULL);
  const tegula_argument arguments[] = {pointerTo(4096, TEGULA_FP32), integer(16), floating(1)};
  tegula_variant *variant = NULL;
  OK(tegula_kernel_prepare(kernel, device, arguments, 3, &variant));
  tegula_variant_free(variant);
  tegula_kernel_free(kernel);
}

void testSettings(void) {
  char folder[] = "/tmp/tegula-settings-XXXXXX", named[] = "/tmp/tegula-settings-XXXXXX";
  CHECK(mkdtemp(folder) && mkdtemp(named));
  tegula_device *device = emulator();
  OK(tegula_set_cache_folder(folder));
  compileAnew(device);
  CHECK(entriesOf(folder) == 1);
  OK(tegula_set_cache_folder(""));
  compileAnew(device);
  CHECK(entriesOf(folder) == 1);
  setenv("TEGULA_CACHE_DIR", named, 1);
  compileAnew(device);
  CHECK(entriesOf(named) == 0);
  OK(tegula_set_cache_folder(NULL));
  compileAnew(device);
  CHECK(entriesOf(named) == 1 && entriesOf(folder) == 1);

  const char *folders[] = {folder, NULL};
  OK(tegula_set_assembler_folders(folders, 1));
  OK(tegula_set_assembler_folders(NULL, 0));
  FAILS(tegula_set_assembler_folders(NULL, 1), TEGULA_INVALID_ARGUMENT, "expected `folders`, found null");
  FAILS(tegula_set_assembler_folders(folders, 2), TEGULA_INVALID_ARGUMENT, "expected folder 1, found null");
  tegula_device_close(device);
  char command[128];
  snprintf(command, sizeof command, "rm -r %s %s", folder, named);
  CHECK(system(command) == 0);
}
