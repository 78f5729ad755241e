import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import { addEntity, editEntity } from "../change-entities.ts";
import { type CalendarEvent, type Draft, entitySchemas } from "../entities.ts";
import { type InParts, takeInParts } from "../in-parts.ts";
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
  const taking = new EventImport(store, nowMs);
  taking.take(events);
  return taking.became(untaken);
}

/**
 * The same in parts: a calendar of years has tens of thousands of events. What a person has changed since the very same revision was
 * taken is left as it is: the file says nothing new.
 *
 * @throws as {@link takeInParts}
 */
export async function importInParts(
  store: DeviceStore,
  { events, untaken }: ReadCalendar,
  nowMs: number,
  parts: InParts = {},
): Promise<ImportedEvents> {
  const taking = new EventImport(store, nowMs, { keepsEdits: true });
  await takeInParts(events, (part) => taking.take(part), "events", parts);
  return taking.became(untaken);
}

/** One import, and what has become of its events so far. */
class EventImport {
  readonly #store: DeviceStore;
  readonly #nowMs: number;
  readonly #counts = { added: 0, changed: 0, unchanged: 0, outdated: 0 };
  readonly #refused: Untaken[] = [];
  readonly #taken = new Map<string, CalendarEvent>();
  #known = new Map<string, CalendarEvent>();
  /** The newest change of the person's work when the known events were looked at. */
  #newest = -1;

  readonly #keepsEdits: boolean;

  constructor(store: DeviceStore, nowMs: number, { keepsEdits = false } = {}) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#keepsEdits = keepsEdits;
  }

  /** All of them or, when it throws, none. */
  take(events: readonly Draft<"event">[]): void {
    this.#store.transaction(() => {
      const { work, entityChanges } = this.#store;
      if (entityChanges.newest() !== this.#newest)
        this.#known = new Map(work.event.list().map((event) => [keyOf(event), event]));
      for (const draft of events) this.#takeOne(draft);
      this.#newest = entityChanges.newest();
    });
  }

  became(untaken: readonly Untaken[]): ImportedEvents {
    const partly = partlyKnown([...this.#taken.values()]);
    return { ...this.#counts, untaken: [...untaken, ...this.#refused], partlyKnown: partly };
  }

  #takeOne(draft: Draft<"event">): void {
    const before = this.#known.get(keyOf(draft));
    const became = before === undefined ? "added" : this.#wasTaken(before, draft) ? "outdated" : weighed(before, draft);
    try {
      if (before === undefined) this.#keep(addEntity(this.#store, "event", draft, this.#nowMs));
      else if (became === "changed") this.#keep(editEntity(this.#store, "event", before.id, draft, this.#nowMs));
      this.#counts[became]++;
    } catch (error) {
      if (!isDeviceError(error, "value_invalid")) throw error;
      this.#refused.push({ title: draft.title ?? "", why: whyRefused(error) });
    }
  }

  /** Whether a draft says what an event said before somebody changed it, of the same revision. */
  #wasTaken(before: CalendarEvent, draft: Draft<"event">): boolean {
    const { sequence = 0, stampedAt = null } = draft;
    const isSame = sequence === before.sequence && stampedAt === before.stampedAt && stampedAt !== null;
    if (!this.#keepsEdits || !isSame || isSaid(before, draft, "stampedAt")) return false;
    return this.#store.entityChanges.of(before.id).some(({ before: old }) => {
      const state = entitySchemas.event.safeParse(old);
      return state.success && isSaid(state.data, draft, "stampedAt");
    });
  }

  #keep(event: CalendarEvent): void {
    this.#known.set(keyOf(event), event);
    this.#taken.set(event.id, event);
  }
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
