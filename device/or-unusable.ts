import { DeviceError, isDeviceError } from "./errors.ts";
import { systemCode } from "./files/backends/fs/fs-errors.ts";

/** What is the matter where it is not with whose the folder is: the cure is another one. */
const disks: Readonly<Record<string, (path: string) => string>> = {
  EROFS: (path) =>
    `the disk of ${path} can only be read just now. The system does that to a disk that fails, or was told to: ` +
    "look with `mount` and `dmesg`, mend that, and mount it for writing. What is in the folder is not lost by that.",
  EIO: (path) =>
    `the disk of ${path} does not answer as it should. Check it and how it is connected; what is in the folder is not lost by that.`,
};

/** What is said of a place of the data folder that cannot be made or written. */
export const notWritable = (place: string): string =>
  `${place} is not there, is something else, or is not this user's to write to. See what is there and whose it is (\`ls -ld\`), or give another data folder: --data.`;

/**
 * Runs `work` on something in the data folder.
 *
 * @param sentence what is said of other refusals of the system than those of a disk
 * @throws DeviceError `folder_unusable`
 */
export function orUnusable<T>(path: string, sentence: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (isDeviceError(cause)) throw cause;
    const ofDisk = disks[systemCode(cause) ?? ""];
    const found = ofDisk === undefined ? sentence : ofDisk(path);
    throw new DeviceError("folder_unusable", { sentence: `The data folder cannot be used: ${found}`, cause });
  }
}
