import { type ArtifactTemplates, contextBlock } from "../description/context.ts";
import type { ToolResponseContent } from "../metadata.ts";

/** A tool's result as a model is shown it: itself, or what is known of where it is stored. */
export function presentedContent(content: ToolResponseContent, templates: ArtifactTemplates = {}): string {
  const notices = content.notices ?? [];
  const body =
    content.kind === "file"
      ? contextBlock(content.metadata, templates)
      : typeof content.result === "string"
        ? content.result
        : (JSON.stringify(content.result) ?? "null");
  return [...notices, body].join("\n");
}
