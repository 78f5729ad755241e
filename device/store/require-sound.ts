import { statSync } from "node:fs";
import { DeviceError } from "../errors.ts";
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
  const found = store.damage();
  if (found === undefined) return;
  const [first = ""] = found.split("\n");
  throw new DeviceError("store_unreadable", { sentence: unsound(store.path, first) });
}
