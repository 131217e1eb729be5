#ifndef CFILEIDENTITY_H
#define CFILEIDENTITY_H

#include <stdint.h>

/* Finds the device and the inode of the file at a path. Returns 0, or -1 and sets errno.

   Uses statx(2), which Swift does not import, because stat(2) also queries the file's times. Since Linux 6.13
   (multigrain timestamps), a write after such a query updates the times, and a commit of SQLite then waits for the disk
   once more. */
int file_identity(const char *path, uint64_t *device, uint64_t *inode);

#endif
