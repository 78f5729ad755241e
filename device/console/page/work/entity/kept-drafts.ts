import type { Begun } from "./fields.ts";

/** What was typed and not saved, for as long as the tab is open: whoever looks at another page finds it again. */
const drafts = new Map<string, Begun>();

/** What was begun of an entity; undefined when nothing was. */
export const keptDraft = (id: string): Begun | undefined => drafts.get(id);

/** @param begun undefined when there is nothing to keep any more */
export function keepDraft(id: string, begun: Begun | undefined): void {
  if (begun === undefined) drafts.delete(id);
  else drafts.set(id, begun);
}

// The browser asks before such a tab is closed.
addEventListener("beforeunload", (event) => {
  if (drafts.size > 0) event.preventDefault();
});
