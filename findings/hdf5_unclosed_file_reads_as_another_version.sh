#!/bin/sh
# HDF5 1.10.8 calls a file whose writer was killed one of a bad version, once the file has grown; a small one it calls truncated.
# One would guess: all of the rows that are in the file, or the error "truncated file" that a small file gives, or h5clear repairs it.
# What happens: the superblock reaches the disk at creation and the rows as they are written, but the headers between them only when the
# file is flushed or closed; a reader finds zeros there and says "bad object header version number", and h5clear -s cannot open it
# either. One H5Fflush after creation is enough for the file to open, with the rows that the last flush counted. Who meets it: a user whose
# program writes recordings through HDF5 and is killed (memory, power), and who then looks for a newer HDF5 or believes the rows were
# never written. Seen 2026-11-29 with libhdf5-103-1 and hdf5-tools 1.10.8+repack1-1 of Debian 12.
#   sh hdf5_unclosed_file_reads_as_another_version.sh    needs Debian 12 with its package lists, gcc, libcurl4; ends with 1 when it changes
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
hdf5=1.10.8+repack1-1 aec=1.0.6-1+b1
apt-get download -qq libhdf5-103-1=$hdf5 libhdf5-dev=$hdf5 hdf5-tools=$hdf5 libsz2=$aec libaec0=$aec 2>log ||
    { cat log && echo "cannot get the packages" && exit 4; }
for package in ./*.deb; do
    dpkg -x "$package" root
done

cat >heights.c <<'END'
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
enum { SIDE = 128 };
static char row[SIDE * SIDE * sizeof(double)];
// Writes rows of heights, one chunk each, flushes at creation (every >= 0) and after each `every` rows (every > 0), and is killed.
static void record(const char *path, int rows, int every)
{
    const hsize_t none[3] = {0, SIDE, SIDE}, most[3] = {H5S_UNLIMITED, SIDE, SIDE}, chunk[3] = {1, SIDE, SIDE};
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(layout, 3, chunk);
    hid_t set = H5Dcreate2(file, "heights", H5T_NATIVE_DOUBLE, H5Screate_simple(3, none, most), H5P_DEFAULT, layout, H5P_DEFAULT);
    if (every >= 0) H5Fflush(file, H5F_SCOPE_LOCAL);
    memset(row, 'h', sizeof row);
    for (int k = 0; k < rows; k++) {
        const hsize_t size[3] = {(hsize_t)k + 1, SIDE, SIDE}, start[3] = {(hsize_t)k, 0, 0};
        H5Dset_extent(set, size);
        if (H5Dwrite_chunk(set, H5P_DEFAULT, 0, start, sizeof row, row) < 0) exit(3);
        if (every > 0 && (k + 1) % every == 0) H5Fflush(file, H5F_SCOPE_LOCAL);
    }
    kill(getpid(), SIGKILL);
}
static herr_t first_error(unsigned depth, const H5E_error2_t *error, void *user)
{
    (void)user;
    if (depth == 0) printf("does not open, \"%s\"\n", error->desc);
    return 0;
}
int main(int count, char **words)
{
    unsigned major, minor, release;
    H5get_libversion(&major, &minor, &release);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (count == 1) printf("HDF5 %u.%u.%u\n", major, minor, release);
    if (count == 4) record(words[1], atoi(words[2]), atoi(words[3]));
    if (count != 2) return 0;
    hid_t file = H5Fopen(words[1], H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) return H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first_error, NULL);
    hsize_t size[3];
    H5Sget_simple_extent_dims(H5Dget_space(H5Dopen2(file, "heights", H5P_DEFAULT)), size, NULL);
    printf("opens, %d rows\n", (int)size[0]);
    return 0;
}
END
folder=root/usr/lib/x86_64-linux-gnu
gcc heights.c -I root/usr/include/hdf5/serial -o heights -L $folder -l:libhdf5_serial.so.103 -Wl,--allow-shlib-undefined || exit 4
export LD_LIBRARY_PATH="$work/$folder"
# try ROWS EVERY TEXT
try() {
    status=0
    ./heights heights.h5 "$1" "$2" 2>/dev/null || status=$?
    [ $status -eq 137 ] || exit 4
    echo "$3: $(($(tr -cd h <heights.h5 | wc -c) / 131072)) of $1 rows are in the file; $(./heights heights.h5)"
}
repair() {
    status=0
    ./root/usr/bin/h5clear -s heights.h5 >/dev/null 2>&1 || status=$?
    echo "    h5clear -s: exit status $status; then it $(./heights heights.h5)"
}
{
    ./heights
    try 0 -1 "killed after creation" && repair
    try 48 -1 "never flushed" && repair
    try 48 0 "flushed at creation"
    try 48 10 "flushed every 10 rows"
} >seen
cat seen
cat >expected <<'END'
HDF5 1.10.8
killed after creation: 0 of 0 rows are in the file; does not open, "truncated file: eof = 96, sblock->base_addr = 0, stored_eof = 2048"
    h5clear -s: exit status 1; then it does not open, "truncated file: eof = 96, sblock->base_addr = 0, stored_eof = 2048"
never flushed: 48 of 48 rows are in the file; does not open, "bad object header version number"
    h5clear -s: exit status 1; then it does not open, "bad object header version number"
flushed at creation: 48 of 48 rows are in the file; opens, 0 rows
flushed every 10 rows: 48 of 48 rows are in the file; opens, 40 rows
END
cmp -s seen expected && echo "as seen before" || { echo "ANOTHER BEHAVIOUR than was seen before" && exit 1; }
