import type { StoredProposal } from "../store/schema.ts";
import type { OutcomeKind } from "../work/decide-into.ts";
import type { Draft } from "../work/entities.ts";

/** What a proposal's draft would become. */
export type DraftOutcome = { readonly [K in OutcomeKind]: { readonly kind: K; readonly draft: Draft<K> } }[OutcomeKind];

/**
 * What approving a proposal makes of it, by its draft: a task of what is to be done or answered, an event, a note.
 * Undefined where nothing is made: of what is only to be known.
 */
export function draftOutcome(row: StoredProposal): DraftOutcome | undefined {
  const { category, priority, payload, metadata } = row;
  if (payload === null) return undefined;
  const { title, note, due } = payload;
  // The project a person has put it into comes before one that was found in it.
  const projectId = row.projectId ?? payload.projectId;
  const said = payload.quotes.map((quote) => `> ${quote}`).join("\n");
  switch (category) {
    case "task":
      return { kind: "task", draft: { title, due, priority, projectId, note: note || said } };
    case "reply": {
      const who = metadata?.sender.name.trim() || metadata?.sender.address.trim() || "";
      // Who has written the draft has called it what it is to be called.
      if (payload.by === "person")
        return { kind: "task", draft: { title, due, priority, projectId, note: note || said } };
      const answer = `Answer${who === "" ? "" : ` ${who}`}: ${title}`;
      return { kind: "task", draft: { title: answer.slice(0, 500), due, priority, projectId, note: note || said } };
    }
    case "event":
      return eventOutcome(payload);
    case "note":
      return { kind: "note", draft: { title, markdown: note || said } };
    default:
      return undefined;
  }
}

function eventOutcome(payload: NonNullable<StoredProposal["payload"]>): DraftOutcome | undefined {
  const { title, start, end, zone, isAllDay, place, people, note, calendar, quotes } = payload;
  if (start === null || end === null) return undefined;
  const { method: _, ...revision } = calendar ?? { method: "" };
  const said = quotes.map((quote) => `> ${quote}`).join("\n");
  return {
    kind: "event",
    draft: { title, start, end, zone, isAllDay, place, people, note: note || said, ...revision },
  };
}
