import type { FileToolInput } from "../../../../events/tools.ts";
import type { ContentPassage, FoundContent } from "../../content-search.ts";
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
  const passages: ContentPassage[] = [];
  let chars = 0;
  let left = 0;
  for (const passage of found.passages) {
    if (!gate.mayShow(passage.path)) continue;
    const isWithin = chars + passage.text.length <= profile.maxResultChars;
    if (!isWithin || !call.mayGive(passage.path, partsOf(passage))) {
      left++;
      continue;
    }
    chars += passage.text.length;
    passages.push({ ...passage, alsoIn: passage.alsoIn.filter((path) => gate.mayShow(path)) });
  }
  const tokens = await call.charge(passages.map(({ path, text }) => `${path}: ${text}`).join("\n"));
  for (const [path, shown] of Map.groupBy(passages, (passage) => passage.path)) {
    call.noteShown(path, null, shown.map(({ text }) => text).join("\n"));
  }
  const cut = left === 0 ? [] : [`${left} passages are left out: this session has been given enough of those files.`];
  return { ...found, passages, filesSearched, tokens, notes: [...notes, ...cut] };
}

/** By their text: the same line is free the next time, whichever way it is given. */
function partsOf({ startLine, text }: ContentPassage) {
  return text.split("\n").map((line, at) => ({ hash: "search", line: startLine + at, text: line }));
}
