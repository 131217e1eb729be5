#define _GNU_SOURCE
#include "CFileIdentity.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

int file_identity(const char *path, uint64_t *device, uint64_t *inode) {
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_INO, &status) != 0) return -1;
  *device = makedev(status.stx_dev_major, status.stx_dev_minor);
  *inode = status.stx_ino;
  return 0;
}
