/** SQLite's code for it (sqlite.org/rescode.html#full). */
const sqliteFull = 13;
const codes: readonly unknown[] = ["ENOSPC", "EDQUOT", "disk_full"];

/** Whether an error, or what caused it, says that the disk is full: the system's, SQLite's, LevelDB's or our own. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && codes.includes(error.code)) return true;
  if ("errcode" in error && typeof error.errcode === "number" && (error.errcode & 0xff) === sqliteFull) return true;
  return error.message.includes("No space left on device") || isDiskFull(error.cause);
}
