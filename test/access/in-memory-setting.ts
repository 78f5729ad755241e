import type { FileAccess } from "../../device/access/file-access.ts";
import type { AccessSession } from "../../device/access/session/session.ts";
import type { PatchResult } from "../../events/agent-tools/patch-result.ts";

export async function patchWith(
  access: FileAccess,
  session: AccessSession,
  input: { patch: string } & Record<string, unknown>,
): Promise<PatchResult> {
  const outcome = await access.call(session, "apply_patch", input);
  if (outcome.ok) return outcome.result;
  if (outcome.result === undefined) throw new Error(outcome.error.message);
  return outcome.result;
}

/** A V4A patch of one file that replaces one line by another. */
export const replacing = (path: string, before: string, after: string) =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-${before}\n+${after}\n*** End Patch\n`;
