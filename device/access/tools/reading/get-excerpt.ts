import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import { outlineOf } from "../../reading/outline.ts";
import type { ToolCall } from "../tool-call.ts";
import { largeExcerpt } from "./large-file.ts";
import { partsOf, type ShownText, shownText } from "./shown-text.ts";

/** The whole of a short file; else its beginning, and below it the outline of the rest, in `maxLines` together. */
export async function getExcerpt(call: ToolCall, input: FileToolInput<"get_excerpt">): Promise<ShownText> {
  const large = await call.openLarge(input.path);
  if (large !== undefined) return largeExcerpt(call, large, input.maxLines);
  const file = await call.open(input.path);
  const total = file.shownLines.length;
  const maxLines = Math.min(input.maxLines, call.profile.linesWithoutApproval);
  const { maxResultChars } = call.profile;
  const outline =
    total <= maxLines ? [] : outlineOf(file.shownLines.map((line) => line.replace(/(?<![\r\n])[\r\n]+$/, "")));
  const beginning = Math.min(total, maxLines - Math.min(outline.length + 1, Math.floor(maxLines / 2)));
  const shown = total <= maxLines ? total : beginning;
  const rest = outline.filter(({ line }) => line > shown).slice(0, maxLines - shown - 1);
  let text = file.shownLines.slice(0, shown).join("");
  const parts = [
    ...partsOf(file, 0, text.slice(0, maxResultChars)),
    ...rest.map(({ line, text: entry }) => ({ hash: file.found.hash, line, text: entry })),
  ];
  const notes: string[] = [];
  if (text.length > maxResultChars) {
    text = text.slice(0, maxResultChars);
    notes.push(`Cut at ${maxResultChars} characters.`);
  }
  if (shown < total) {
    notes.push(`Lines ${shown + 1} to ${total} are not shown${rest.length > 0 ? "; below is their outline" : ""}.`);
    const entries = rest.map(({ line, text: entry }) => `${line}: ${entry}`);
    if (entries.length > 0) text += `${text.endsWith("\n") ? "" : "\n"}[outline]\n${entries.join("\n")}\n`;
  }
  return shownText(call, file, { start: 0, end: shown, text, notes, parts });
}
