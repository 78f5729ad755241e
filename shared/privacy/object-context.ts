import type { ObjectKey } from "../../events/payload.ts";

/** What an object is sealed for, by whoever uploads it: its key is the only thing both sides know of it. */
export function objectContext(key: ObjectKey): readonly string[] {
  return ["object", key];
}
