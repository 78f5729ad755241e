import type { ToolFailure } from "../../device/access/tools/tool-failure.ts";
import type { PatchResult } from "../../events/agent-tools/patch-result.ts";

/** What a person at a terminal can do about a refusal, where the sentence does not say it. */
const recoveries: Partial<Record<ToolFailure["code"], string>> = {
  approval_refused: "Run it at a terminal and answer yes, or with --yes.",
  budget_exceeded: "Ask for fewer lines, or run it with --yes.",
  no_match: "Read the lines as they are now (scouts files read) and make the patch from them.",
  ambiguous_match: "Add lines around the edit, so that it fits one place only.",
  conflict: "Read the file again (scouts files read), and make the edit from what it says now.",
  placeholder: "Write the code that the comment stands for.",
  redaction_sentinel: "Leave out the lines with placeholders.",
  version_unknown: "scouts files history lists the versions.",
  version_pruned: "scouts files history shows which versions are kept.",
  recovery_needed: "Run the command again: it begins with the recovery.",
};

/** What `--json` prints on standard output for a command that failed: what the library answered, and the cure where one is known. */
export type RefusalJson = (PatchResult | ({ readonly success: false } & ToolFailure)) & { readonly recovery?: string };

/** A file tool said no to a command. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";
  readonly code: ToolFailure["code"];
  readonly recovery?: string;
  readonly candidates: NonNullable<ToolFailure["candidates"]>;
  readonly json: RefusalJson;

  constructor(failure: ToolFailure, result: PatchResult | undefined) {
    super(failure.message);
    const recovery = recoveries[failure.code];
    this.code = failure.code;
    if (recovery !== undefined) this.recovery = recovery;
    this.candidates = failure.candidates ?? [];
    this.json = { ...(result ?? { success: false, ...failure }), ...(recovery !== undefined && { recovery }) };
  }
}
