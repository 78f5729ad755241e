import { proposalId } from "../../../events/ids.ts";
import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { SearchedKind, StoredProposal } from "../../store/schema.ts";
import { momentOf, systemZone } from "../../work/dates/zone.ts";
import type { CalendarEvent } from "../../work/entities.ts";

/** A piece of a person's work, in the words it is found by; without credentials. */
export interface WorkText {
  readonly title: string;
  /** People and places it has to do with. */
  readonly named: string;
  /** Who sent it; "" for what nobody sent. */
  readonly sender: string;
  readonly text: string;
  /** When it was sent, takes place, or was last changed. */
  readonly atMs: number;
  /** What it belongs to, if anything. */
  readonly projectId: string | null;
  /** The kind of source a proposal is from. */
  readonly tag: string;
}

export const searchedKinds: readonly SearchedKind[] = ["proposal", "task", "event", "note", "person", "memory"];

const redactor = new Redactor();

type Said = Partial<Omit<WorkText, "text" | "title">> & { readonly title: string; readonly texts: readonly string[] };

/** Undefined when there is none (any more). */
export function workText(store: DeviceStore, kind: SearchedKind, id: string): WorkText | undefined {
  const said = saidOf(store, kind, id);
  if (said === undefined) return undefined;
  const { title, texts, named = "", sender = "", atMs = 0, projectId = null, tag = "" } = said;
  const clean = (text: string) => redactor.redact(text.toWellFormed()).text;
  const text = clean(texts.filter((each) => each.trim() !== "").join("\n\n"));
  return { title: clean(title), named, sender, text, atMs, projectId, tag };
}

/** The ids of all there is of a kind. */
export function workIds(store: DeviceStore, kind: SearchedKind): string[] {
  return rowsOf(store, kind).map(({ id }) => id);
}

function rowsOf(store: DeviceStore, kind: SearchedKind): readonly { readonly id: string }[] {
  return kind === "proposal" ? store.proposals.list() : store.work[kind].list();
}

function saidOf(store: DeviceStore, kind: SearchedKind, id: string): Said | undefined {
  switch (kind) {
    case "proposal": {
      const named = proposalId.safeParse(id);
      const found = named.success ? store.proposals.find(named.data) : undefined;
      return found && saidOfProposal(found);
    }
    case "task": {
      const found = store.work.task.find(id);
      return found && { title: found.title, texts: [found.note], atMs: found.updatedAt, projectId: found.projectId };
    }
    case "event": {
      const found = store.work.event.find(id);
      return found && saidOfEvent(found);
    }
    case "note": {
      const found = store.work.note.find(id);
      return found && { title: found.title, texts: [found.markdown], atMs: found.updatedAt };
    }
    case "person": {
      const found = store.work.person.find(id);
      const named = found?.addresses.join(" ") ?? "";
      return found && { title: found.name, texts: [found.note, named], named, atMs: found.updatedAt };
    }
    case "memory": {
      const found = store.work.memory.find(id);
      return found && { title: found.fact, texts: [found.source], atMs: found.updatedAt };
    }
  }
}

function saidOfProposal(row: StoredProposal): Said {
  const { metadata, rawSubject, rawSnippet, reason, triagedAt, sourceType, payload } = row;
  const sender = [metadata?.sender.name, metadata?.sender.address].filter(Boolean).join(" ");
  const attachments = (metadata?.attachments ?? []).map(({ name }) => name).join("\n");
  const texts = [rawSnippet ?? "", ...draftedTexts(row), reason ?? "", attachments];
  const atMs = metadata?.sentAt ?? triagedAt;
  const projectId = row.projectId ?? payload?.projectId ?? null;
  return { title: rawSubject ?? "", named: sender, sender, texts, atMs, projectId, tag: sourceType };
}

/** What its draft says and its subject and beginning do not: the name and the place of an event, who takes part, words from further down. */
function draftedTexts({ payload, rawSubject, rawSnippet }: StoredProposal): string[] {
  if (payload === null) return [];
  const { title, place, people, note, quotes } = payload;
  const known = `${rawSubject ?? ""}\n${rawSnippet ?? ""}`;
  return [title, place, people.join(", "), note, ...quotes].filter((text) => !known.includes(text.trim()));
}

function saidOfEvent({ title, note, place, people, start, zone, isAllDay }: CalendarEvent): Said {
  const named = [place, ...people].join(" ");
  // A day begins where its reader is, as the dates of a search do; so does what has no zone.
  const atMs = momentOf(isAllDay ? `${start}T00:00:00` : start, zone ?? systemZone());
  return { title, named, texts: [note, place, people.join(", ")], atMs };
}
