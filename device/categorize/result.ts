import { type Category, categorizeBounds, type Priority } from "../../events/proposals/categorize.ts";
import { type Categorized, emptyDraft, type ProposalDraft } from "./draft.ts";
import type { ItemView } from "./item-view.ts";
import { titleOfSubject } from "./words/subject.ts";

/** A result under the item's own subject, without what programs have put before it. */
export function resultOf(
  { subject, text }: ItemView,
  category: Category,
  priority: Priority,
  draft: Partial<ProposalDraft>,
): Categorized {
  const title = oneLine(draft.title ?? "") || titleOfSubject(oneLine(subject)) || oneLine(text) || "(no subject)";
  return { category, priority, draft: { ...emptyDraft, ...draft, title } };
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 2_000)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.slice(0, categorizeBounds.title).toWellFormed();
}
