/* A disk that fails or loses power, for a process that is started with LD_PRELOAD.
 *
 * While the file named by SHIM_FAIL exists, fsync and fdatasync fail with EIO. Else a file
 * below SHIM_HOME is copied to SHIM_SHADOW, as it is, after each successful fsync: that
 * folder then holds what a power cut would leave, when nothing else reached the disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void keep(int fd)
{
    const char *home = getenv("SHIM_HOME"), *shadow = getenv("SHIM_SHADOW");
    char link[64], path[PATH_MAX], draft[PATH_MAX], final[PATH_MAX], block[65536];
    if (!home || !shadow)
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return;
    path[length] = 0;
    if (strncmp(path, home, strlen(home)) != 0)
        return;
    const char *name = strrchr(path, '/') + 1;
    snprintf(final, sizeof final, "%s/%s", shadow, name);
    snprintf(draft, sizeof draft, "%s/%s.%d", shadow, name, (int)getpid());
    int copy = open(draft, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    off_t at = 0;
    ssize_t got;
    while ((got = pread(fd, block, sizeof block, at)) > 0)
        at += write(copy, block, got);
    close(copy);
    rename(draft, final);
}

static int sync_with(const char *name, int fd)
{
    const char *fail = getenv("SHIM_FAIL");
    if (fail && access(fail, F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int result = real(fd);
    if (result == 0)
        keep(fd);
    return result;
}

int fsync(int fd) { return sync_with("fsync", fd); }
int fdatasync(int fd) { return sync_with("fdatasync", fd); }
