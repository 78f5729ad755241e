import { DeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import { addEntity, editEntity } from "../change-entities.ts";
import type { CalendarEvent, Draft } from "../entities.ts";
import { type PartlyKnown, partlyKnown } from "../recurrence/partly-known.ts";
import { eventKey } from "../recurrence/time-of-series.ts";
import { whyRefused } from "../why-refused.ts";
import type { Untaken } from "./calendar-component.ts";
import { isSaid } from "./is-said.ts";
import type { ReadCalendar } from "./read-calendar.ts";
import { isNewer } from "./revisions.ts";

/** What became of the events of a file. */
export interface ImportedEvents {
  readonly added: number;
  readonly changed: number;
  /** They say what is known already. */
  readonly unchanged: number;
  /** An older revision than the one that is known: left alone. */
  readonly outdated: number;
  readonly untaken: readonly Untaken[];
  /** Of those that were added or changed the series not all of whose times are known. */
  readonly partlyKnown: readonly PartlyKnown[];
}

/**
 * Takes the events of a calendar file, one transaction for all: by UID and RECURRENCE-ID, the revision with the higher
 * SEQUENCE counts, of the same the one written later (RFC 5546 §2.1.5), whatever order they come in. A cancellation that comes first
 * is kept, so that the invitation it cancels does not come to life.
 */
export function importEvents(store: DeviceStore, { events, untaken }: ReadCalendar, nowMs: number): ImportedEvents {
  return store.transaction(() => {
    const known = new Map(store.work.event.list().map((event) => [keyOf(event), event]));
    const counts = { added: 0, changed: 0, unchanged: 0, outdated: 0 };
    const refused: Untaken[] = [...untaken];
    const taken = new Map<string, CalendarEvent>();
    const keep = (event: CalendarEvent) => {
      known.set(keyOf(event), event);
      taken.set(event.id, event);
    };
    for (const draft of events) {
      const before = known.get(keyOf(draft));
      const became = before === undefined ? "added" : weighed(before, draft);
      try {
        if (before === undefined) keep(addEntity(store, "event", draft, nowMs));
        else if (became === "changed") keep(editEntity(store, "event", before.id, draft, nowMs));
        counts[became]++;
      } catch (error) {
        if (!(error instanceof DeviceError) || error.code !== "value_invalid") throw error;
        refused.push({ title: draft.title ?? "", why: whyRefused(error) });
      }
    }
    return { ...counts, untaken: refused, partlyKnown: partlyKnown([...taken.values()]) };
  });
}

const keyOf = ({ uid = "", recurrenceId = "", zone = null }: Draft<"event">): string =>
  eventKey({ uid, recurrenceId, zone });

/** Which of two revisions counts; of two written at the same time the cancellation does. */
function weighed(before: CalendarEvent, draft: Draft<"event">): "changed" | "unchanged" | "outdated" {
  if (isSaid(before, draft, "stampedAt")) return "unchanged";
  const { sequence = 0, stampedAt = null, status = "confirmed" } = draft;
  const known = { ...before, stampedAt: before.stampedAt ?? Math.floor(before.updatedAt / 1_000) * 1_000 };
  return isNewer({ sequence, stampedAt, status }, known) ? "changed" : "outdated";
}
