import { type Broken, whatIsBroken } from "../../brief/broken.ts";
import { morningBrief } from "../../brief/morning-brief.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { listScouts } from "../../connect/list-scouts.ts";
import type { Check } from "../../doctor/checks.ts";
import type { Finding } from "../../doctor/findings.ts";
import type { DeviceStore } from "../../store/open.ts";
import { localTimeAt } from "../../work/dates/zone.ts";
import type { CalendarEvent, Task } from "../../work/entities.ts";
import { shownProposal } from "../inbox/shown.ts";
import { type Told, toldCode, toldError, toldFailing, toldKeptIfAny, toldTrouble } from "../told.ts";
import { shownPartly } from "../work/shown-partly.ts";

export interface BriefParts {
  readonly api: CloudApi;
  readonly store: DeviceStore;
  /** What keeps mail on the home's machine from being read. */
  readonly mail: () => Promise<Check | undefined>;
  readonly now: () => number;
  /** The IANA zone of the person. */
  readonly zone: () => string;
}

/** What a tab can ask of the morning. */
export type BriefUseCases = ReturnType<typeof briefUseCases>;

/** The brief of `scouts brief`, as far as a page shows it. */
export function briefUseCases({ api, store, mail, now, zone }: BriefParts) {
  return {
    /** From this device alone, at once. */
    brief() {
      const here = { nowMs: now(), zone: zone() };
      const { waiting, week, ...rest } = morningBrief(store, here);
      return {
        ...rest,
        zone: here.zone,
        today: localTimeAt(here.nowMs, here.zone).slice(0, 10),
        waiting: waiting.map(({ row, causes }) => shownProposal(row, here, causes)),
        week: {
          overdue: week.overdue.map(shownTask),
          days: week.days.map(({ day, events, tasks }) => ({
            day,
            events: events.map(shownEvent),
            tasks: tasks.map(shownTask),
          })),
          partlyKnown: shownPartly(week.partlyKnown),
        },
      };
    },

    /** What keeps something from reaching the person; the home is asked. */
    async broken() {
      return { broken: (await whatIsBroken(store, { scouts: () => listScouts(api), mail }, now())).map(toldBroken) };
    },
  };
}

const shownTask = ({ id, title, due, priority, projectId }: Task) => ({ id, title, due, priority, projectId });
const shownEvent = ({ id, title, start, end, zone, isAllDay, place, status }: CalendarEvent) => ({
  ...{ id, title, start, end, zone, isAllDay, place },
  isTentative: status === "tentative",
});

/** What is broken, by what one goes to mend it. */
export interface ToldBroken {
  readonly what: Broken["what"];
  /** The scout's or the folder's, where it is one. */
  readonly id: string | null;
  /** As the person calls it; empty where it is none of these. */
  readonly name: string;
  /** How many items, or scouts, wait. */
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly since: number | null;
  readonly why: Told | null;
  /** What a look of the doctor's found, where it was one. */
  readonly finding: Finding | null;
}

function toldBroken(broken: Broken): ToldBroken {
  const none = { id: null, name: "", count: 0, since: null, finding: null };
  switch (broken.what) {
    case "offline":
      return { ...none, what: broken.what, since: broken.since, why: toldKeptIfAny(broken.code) };
    case "home":
      return { ...none, what: broken.what, why: toldError(broken.error) };
    case "off": {
      const { id, since, why } = toldTrouble(broken.trouble);
      return { ...none, what: broken.what, id, name: broken.trouble.name ?? id, since, why };
    }
    case "failing": {
      const { id, since, why } = toldFailing(broken.failing);
      return { ...none, what: broken.what, id, name: broken.failing.name, since, why };
    }
    case "mail":
      return { ...none, what: broken.what, why: null, finding: broken.check };
    case "waiting": {
      const { code, since, items, scouts } = broken.cause;
      return { ...none, what: broken.what, count: items || scouts, since, why: toldCode(code) };
    }
    case "folder": {
      const { id, name, trouble } = broken.folder;
      return { ...none, what: broken.what, id, name, why: { code: trouble.code, message: trouble.sentence } };
    }
  }
}
