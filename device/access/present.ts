import { delimited, escapedName } from "../../shared/privacy/delimiters.ts";
import type { ContentPassage, EarlierContent } from "./content-search.ts";
import type { ToolOutcome } from "./file-access.ts";

/**
 * An outcome as a model is shown it: facts as JSON, and text of files between delimiters that carry a number made for this
 * answer. Names and paths are quoted and escaped wherever they stand.
 */
export function presented(outcome: ToolOutcome, newNonce?: () => string): string {
  if (!outcome.ok) {
    const { current, ...facts } = outcome.error;
    return withText(facts, current, "as it is now", newNonce);
  }
  if ("matches" in outcome.result) {
    const { matches, ...facts } = outcome.result;
    const lines = matches.map(
      ({ path, line, kind, text }) => `${escapedName(path)}:${line}${kind === "match" ? ":" : "-"} ${text}`,
    );
    return withText(facts, lines.join("\n"), "matches", newNonce);
  }
  if ("passages" in outcome.result) {
    const { passages, earlier, ...facts } = outcome.result;
    return withText(facts, contentText(passages, earlier), "passages", newNonce);
  }
  const { picture, ...result }: Readonly<Record<string, unknown>> = { ...outcome.result };
  // Pictures are no text: whoever can take one gives it beside this.
  if (picture !== undefined) return json(result);
  const named = typeof result["path"] === "string" ? escapedName(result["path"]) : "";
  for (const field of ["text", "diff"]) {
    const content = result[field];
    if (typeof content !== "string") continue;
    const { [field]: _, summary, ...facts } = result;
    const about = `${field} ${named}`.trim();
    const body = withText(facts, content, about, newNonce);
    return summary === undefined ? body : `${body}\n${withText({}, textOf(summary), `summary ${named}`, newNonce)}`;
  }
  return json(result);
}

/** Passages one below the other, each under a line that says where it stands; below them what earlier runs left. */
export function contentText(passages: readonly ContentPassage[], earlier: readonly EarlierContent[]): string {
  return [...passagesText(passages), ...earlier.map(earlierText)].join("\n");
}

function earlierText({ kind, title, atMs, text, files }: EarlierContent): string {
  const when = new Date(atMs).toISOString().slice(0, 10);
  const of = files.map(escapedName).join(", ");
  const what =
    kind === "answer"
      ? `an earlier answer to ${escapedName(title)}, ${when}; it may be wrong or out of date: check it in ${of}`
      : `looked up earlier: ${escapedName(title)}, ${when}; the files may have changed: ${of}`;
  return `== ${what}\n${ownLines(text)}`;
}

function passagesText(passages: readonly ContentPassage[]): string[] {
  return passages.map(({ path, startLine, endLine, heading, score, text, alsoIn }) => {
    const under = heading === "" ? "" : ` under ${escapedName(heading)}`;
    const also = alsoIn.length === 0 ? "" : `, the same in ${alsoIn.map(escapedName).join(", ")}`;
    return `== ${escapedName(path)} lines ${startLine}-${endLine}, score ${score.toFixed(1)}${under}${also}\n${ownLines(text)}`;
  });
}

/** No line of a file can be taken for one of ours. */
const ownLines = (text: string): string => text.trimEnd().replace(/^== /gm, " == ");

function withText(
  facts: object,
  content: string | undefined,
  about: string,
  newNonce: (() => string) | undefined,
): string {
  const head = Object.keys(facts).length === 0 ? [] : [json(facts)];
  return [...head, ...(content === undefined ? [] : [delimited(content, about, newNonce)])].join("\n");
}

function textOf(summary: unknown): string {
  return typeof summary === "object" && summary !== null && "text" in summary ? String(summary.text) : "";
}

/** JSON that shows no control, format or bracket character, and still means the same. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{Cf}\p{Zl}\p{Zp}<>]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
