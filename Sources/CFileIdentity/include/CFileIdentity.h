#ifndef CFILEIDENTITY_H
#define CFILEIDENTITY_H

#include <stdint.h>

/* The device and the inode that a path stands for. Returns 0, or -1 with errno.
 *
 * It asks for nothing else (statx(2)): stat(2) reads the times as well, and a file whose times were read gets new ones with its next
 * write (Linux 6.13, multigrain timestamps). A commit of SQLite then waits for the disk once more. */
int file_identity(const char *path, uint64_t *device, uint64_t *inode);

#endif
