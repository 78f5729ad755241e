import { statSync } from "node:fs";
import { DeviceError, isDeviceError } from "../errors.ts";
import { type DeviceStore, unsound } from "./open.ts";

/** Larger ones are looked at by `scouts doctor` only: a start is not to wait for seconds. */
const mostBytes = 256 * 1024 * 1024;

/**
 * Looks at a device's database, its structure and its rows, before anything is built on it.
 *
 * @throws DeviceError `store_unreadable` naming the file, what is wrong, and what to do
 */
export function requireSound(store: DeviceStore): void {
  if (statSync(store.path).size > mostBytes) return;
  const found = damageOf(store);
  if (found === undefined) return;
  const [first = ""] = found.split("\n");
  throw new DeviceError("store_unreadable", { sentence: unsound(store.path, first) });
}

/** What is wrong with it; some damage is met only while SQLite looks for it. */
function damageOf(store: DeviceStore): string | undefined {
  try {
    return store.damage();
  } catch (cause) {
    if (!isDeviceError(cause, "store_unreadable")) throw cause;
    throw new DeviceError("store_unreadable", { sentence: unsound(store.path), cause });
  }
}
