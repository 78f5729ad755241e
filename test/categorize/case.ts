import type { Categorized, ProposalDraft } from "../../device/categorize/draft.ts";
import type { ItemView, Known, KnownRevision } from "../../device/categorize/item-view.ts";
import type { ProjectId } from "../../events/ids.ts";
import type { Category, Priority } from "../../events/proposals/categorize.ts";
import type { ProposalMetadata } from "../../events/proposals/metadata.ts";

/** A Wednesday, eleven in the morning in Berlin. */
export const nowMs = Date.parse("2026-11-18T10:00:00Z");
export const zone = "Europe/Berlin";

export const garden: ProjectId = "prj_01KAE0000000000000000GARDN" as ProjectId;
export const roof: ProjectId = "prj_01KAE00000000000000000R00F" as ProjectId;
export const projects = [
  { id: garden, name: "Garden" },
  { id: roof, name: "New roof" },
];

/** What a case expects of the draft, whole: what is not named is empty. */
export type Entity = Partial<
  Pick<
    ProposalDraft,
    "title" | "due" | "start" | "end" | "zone" | "isAllDay" | "place" | "people" | "projectId" | "quotes" | "claims"
  >
> & { readonly sequence?: number; readonly uid?: string; readonly status?: string };

/** A made item, and exactly what is to come of it. Dates and entities follow the standard that is named. */
export interface CategorizeCase {
  readonly name: string;
  readonly item: ItemView;
  readonly known: Known;
  readonly category: Category;
  readonly priority: Priority;
  readonly entity: Entity;
}

export const ada: ProposalMetadata = {
  sender: { name: "Ada Lovelace", address: "ada@example.org" },
  sentAt: nowMs - 3_600_000,
  relation: "to",
  automatic: false,
};

export const item = (given: Partial<ItemView>): ItemView => ({
  subject: "Hello",
  text: "",
  metadata: ada,
  reasonCode: "personal",
  triagedAt: nowMs,
  calendars: [],
  linkedData: [],
  ...given,
});

export const known = (given: Partial<Known> = {}): Known => ({
  nowMs,
  zone,
  isSenderKnown: true,
  projects,
  revisionOf: () => undefined,
  ...given,
});

/** A revision that is known of one event. */
export const revision = (given: Partial<KnownRevision>): KnownRevision => ({
  sequence: 0,
  stampedAt: Date.parse("2026-11-01T08:00:00Z"),
  status: "confirmed",
  title: "Plan the bridge",
  start: "2026-11-27T15:00:00",
  end: "2026-11-27T16:00:00",
  zone: "Europe/Berlin",
  isAllDay: false,
  isOfAnother: false,
  ...given,
});

/** What is to be done by a day, and what takes place, by the words that say so. */
export const due = (day: string, ...quotes: readonly string[]): Entity => ({ due: day, quotes: [...quotes] });
export const at = (start: string, end: string, quote: string): Entity => ({
  start,
  end,
  zone: "Europe/Berlin",
  quotes: [quote],
});

/** What came of an item, in the form a case expects it in. */
export function entityOf({ draft }: Categorized): Required<Entity> {
  const { title, due, start, end, isAllDay, place, people, projectId, quotes, claims, calendar } = draft;
  return {
    title,
    due,
    start,
    end,
    zone: draft.zone,
    isAllDay,
    place,
    people,
    projectId,
    quotes,
    claims,
    sequence: calendar?.sequence ?? 0,
    uid: calendar?.uid ?? "",
    status: calendar?.status ?? "",
  };
}

/** A case's entity with what it does not name. */
export const whole = (entity: Entity): Required<Entity> => ({
  title: "Hello",
  due: null,
  start: null,
  end: null,
  zone: null,
  isAllDay: false,
  place: "",
  people: [],
  projectId: null,
  quotes: [],
  claims: [],
  sequence: 0,
  uid: "",
  status: "",
  ...entity,
});
