import { createHash } from "node:crypto";

/** Flags that come and go without anybody's doing. */
const ownFlags: ReadonlySet<string> = new Set(["\\Recent"]);

/** A digest of a message's flags: whatever a person does to a message changes them. */
export function stateOf(flags: ReadonlySet<string> | undefined): string {
  const own = [...(flags ?? [])].filter((flag) => !ownFlags.has(flag)).sort();
  return createHash("sha256").update(own.join("\n")).digest("base64url").slice(0, 22);
}
