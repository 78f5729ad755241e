import { DeviceError, type DeviceErrorCode, isDeviceError } from "../../errors.ts";

/** Primary result codes, the low byte of `errcode` (https://sqlite.org/rescode.html). */
const codesByResult: Record<number, DeviceErrorCode> = {
  5: "store_busy",
  6: "store_busy",
  // Not opened, or not to be written to: that is no damage, for which a file is given up.
  8: "store_closed",
  // The disk has refused: it was removed, fails, or can only be read. For what it holds nobody has to look for a backup.
  10: "store_disk",
  11: "store_unreadable",
  13: "store_full",
  14: "store_closed",
  26: "store_unreadable",
};

/** SQLITE_IOERR_SHORT_READ and SQLITE_IOERR_CORRUPTFS: the disk has answered, and what it gave is not what was written. */
const damaged = [522, 8458];

/**
 * SQLITE_IOERR_SHMSIZE: the index of the log beside a database has no room on its disk, which every process that is the first to open it
 * makes. Its primary code is that of a disk that does not answer.
 */
const noRoomForLog = 4874;

function codeOf(errcode: number): DeviceErrorCode | undefined {
  if (errcode === noRoomForLog) return "store_full";
  return damaged.includes(errcode) ? "store_unreadable" : codesByResult[errcode & 0xff];
}

/** Gives an SQLite error the device's code; everything else passes as it is. */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  const code = codeOf(error.errcode);
  return code === undefined ? error : new DeviceError(code, { data: { sqlite: error.errcode }, cause: error });
}

/** Runs `work` and throws its SQLite errors as {@link DeviceError}s. */
export function storeCall<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** As {@link storeCall}; what cannot be read is said with `unsound`, which names the file and the cure. */
export function namedStoreCall<T>(unsound: string, work: () => T): T {
  try {
    return storeCall(work);
  } catch (cause) {
    if (!isDeviceError(cause, "store_unreadable")) throw cause;
    throw new DeviceError("store_unreadable", { sentence: unsound, data: cause.data, cause });
  }
}
