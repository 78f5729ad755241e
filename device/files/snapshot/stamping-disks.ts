/**
 * Disks of this machine of which it is certain that a directory's own times change with its entries (f_type of statfs(2); numbers
 * from linux/magic.h): ext2 to ext4, XFS, Btrfs, F2FS, bcachefs, ZFS, tmpfs. Not so on network disks, whose server or cache may
 * answer, FAT, or what programs mount (FUSE).
 */
const stamping: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0xca451a4e, 0x2fc12fc1, 0x01021994,
]);

/** Whether `DirectoryStamp`s of such a disk can be relied on. @param type as Linux names it */
export function isStamping(type: number): boolean {
  return stamping.has(type);
}
