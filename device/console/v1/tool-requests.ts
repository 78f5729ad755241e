import type { FileToolName } from "../../../events/agent-tools/file-tools.ts";
import { parsePatch } from "../../access/edits/patches/parse-patch.ts";
import { isAccessError } from "../../access/errors.ts";
import type { Precondition } from "./precondition.ts";

/** A request as the call of a tool. */
export interface ToolRequest {
  readonly tool: FileToolName;
  readonly args: Readonly<Record<string, unknown>>;
}

const numbers = new Set(["limit", "startChar", "maxChars", "startLine", "endLine", "maxLines", "maxTokens"]);
const lists = new Set(["globs", "tags"]);

/** Arguments of a tool as an address has them; the tool's own schema judges them, unknown ones too. */
export function argumentsIn(query: Readonly<Record<string, string[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, values]) => {
      const [first = ""] = values;
      if (lists.has(name)) return [name, values];
      if (numbers.has(name)) return [name, first === "" ? Number.NaN : Number(first)];
      return [name, first === "true" || first === "false" ? first === "true" : first];
    }),
  );
}

const baseOf = (condition: Precondition) => (condition.kind === "seen" ? { baseHash: condition.hash } : {});

/** The whole new text of a file that was seen, or of one that is not there yet. */
export const writeRequest = (path: string, content: string, condition: Precondition): ToolRequest => ({
  tool: "write_file",
  args: { path, content, ...(condition.kind === "absent" ? { mode: "create" } : {}), ...baseOf(condition) },
});

/** Edits of the file at an address; undefined: the patch is about more than its precondition speaks of. */
export function patchRequest(
  path: string,
  patch: string,
  query: Readonly<Record<string, unknown>>,
  condition: Precondition,
): ToolRequest | undefined {
  const args = { ...query, path, patch, ...baseOf(condition) };
  try {
    const { files } = parsePatch(patch, { path });
    if (files.length !== 1 || files.some((file) => file.kind === "add")) return undefined;
  } catch (error) {
    // The tool refuses it in its own words, and the trail has it.
    if (!isAccessError(error)) throw error;
  }
  return { tool: "apply_patch", args };
}

/** The path of the patch is not read: the one of the address stands for it. */
export const deleteRequest = (path: string, condition: Precondition): ToolRequest => ({
  tool: "apply_patch",
  args: { path, patch: "*** Begin Patch\n*** Delete File: it\n*** End Patch\n", ...baseOf(condition) },
});

/** Puts a file back as it was in a version. @param condition which content the caller has seen, if it says so */
export const rollbackRequest = (path: string, versionId: string, condition: Precondition): ToolRequest => ({
  tool: "rollback",
  args: { path, versionId, ...baseOf(condition) },
});
