import { delimited } from "../../../shared/privacy/delimiters.ts";
import { contextBlock } from "../description/context.ts";
import type { ToolResponseContent } from "../metadata.ts";
import type { ArtifactToolOutcome } from "./artifact-tools.ts";

/** An answer as a model is shown it: facts as JSON, content between delimiters that nothing in it can forge. */
export function presentedAnswer(outcome: ArtifactToolOutcome, newNonce?: () => string): string {
  if (!outcome.ok) return JSON.stringify(outcome.error);
  const { facts, text } = outcome.result;
  const head = Object.keys(facts).length === 0 ? [] : [JSON.stringify(facts)];
  return [...head, ...(text === undefined || text === "" ? [] : [delimited(text, "artifact", newNonce)])].join("\n");
}

/** A tool's result as a model is shown it: itself, or what is known of where it is stored. */
export function presentedContent(content: ToolResponseContent, newNonce?: () => string): string {
  const notices = content.notices ?? [];
  const body =
    content.kind === "file"
      ? contextBlock(content.metadata, newNonce)
      : typeof content.result === "string"
        ? content.result
        : (JSON.stringify(content.result) ?? "null");
  return [...notices, body].join("\n");
}
