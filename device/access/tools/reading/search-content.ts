import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import type { ContentPassage, EarlierContent, FoundContent } from "../../content-search.ts";
import { AccessError } from "../../errors.ts";
import type { ToolCall } from "../tool-call.ts";

export interface SearchContentResult extends Omit<FoundContent, "files"> {
  /** Files in which was looked. */
  readonly filesSearched: number;
  readonly tokens: number;
}

/** Passages about some words, best first, within what a result may have and what the session is given of each file. */
export async function searchContent(
  call: ToolCall,
  { query, limit }: FileToolInput<"search_content">,
): Promise<SearchContentResult> {
  const { kit, profile, gate } = call;
  if (kit.content === undefined) throw new AccessError("not_indexed");
  call.asksForContent = false;
  const { files: filesSearched, notes, ...found } = await kit.content.find(query, limit);
  const shown = await gate.shownAmong([
    ...found.passages.flatMap(({ path, alsoIn }) => [path, ...alsoIn]),
    ...found.earlier.flatMap(({ files }) => files),
  ]);
  const passages: ContentPassage[] = [];
  let chars = 0;
  let left = 0;
  for (const passage of found.passages) {
    if (!shown.has(passage.path) || gate.isIgnored(passage.path)) continue;
    const isWithin = chars + passage.text.length <= profile.maxResultChars;
    if (!isWithin || !call.mayGive(passage.path, partsOf(passage))) {
      left++;
      continue;
    }
    chars += passage.text.length;
    passages.push({ ...passage, alsoIn: passage.alsoIn.filter((path) => shown.has(path)) });
  }
  const earlier: EarlierContent[] = [];
  for (const each of found.earlier) {
    if (!each.files.every((path) => shown.has(path))) continue;
    const isWithin = chars + each.text.length <= profile.maxResultChars;
    const parts = partsOf({ startLine: 1, text: each.text });
    if (!isWithin || !each.files.every((path) => call.mayGive(path, parts))) continue;
    chars += each.text.length;
    earlier.push(each);
  }
  const given = [
    ...passages.map(({ path, text }) => `${path}: ${text}`),
    ...earlier.map(({ title, text }) => `${title}: ${text}`),
  ];
  const tokens = await call.charge(given.join("\n"));
  for (const [path, shown] of Map.groupBy(passages, (passage) => passage.path)) {
    call.noteShown(path, null, shown.map(({ text }) => text).join("\n"));
  }
  for (const { files, text } of earlier) for (const path of files) call.noteShown(path, null, text);
  const cut = left === 0 ? [] : [`${left} passages are left out: this session has been given enough of those files.`];
  return { ...found, passages, earlier, filesSearched, tokens, notes: [...notes, ...cut] };
}

/** By their text: the same line is free the next time, whichever way it is given. */
function partsOf({ startLine, text }: Pick<ContentPassage, "startLine" | "text">) {
  return text.split("\n").map((line, at) => ({ hash: "search", line: startLine + at, text: line }));
}
