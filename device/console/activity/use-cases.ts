import { projectId } from "../../../events/ids.ts";
import type { ActivityStore } from "../../activity/activity-store.ts";
import type { Approval } from "../../activity/approval-table.ts";
import { decideApproval } from "../../activity/decide-approval.ts";
import type { KeptRun } from "../../activity/run-table.ts";
import type { TrailFilter, TrailId, TrailPlaces, TrailRecord, TrailSession, Trails } from "../../activity/trails.ts";
import { DeviceError, isKnownCode } from "../../errors.ts";
import { lastPlaceOf } from "../../files/place/folder-place.ts";
import { FileRefusal } from "../../projects/file-refusal.ts";
import type { OpenedFolders } from "../../projects/opened-folders.ts";
import type { DeviceStore } from "../../store/open.ts";
import { type Charge, chargeOf } from "../../usage/price.ts";
import type { EventLog } from "../news/event-log.ts";
import { toldCode, toldError, toldKeptIfAny } from "../told.ts";

const recordsAPage = 100;
const runsShown = 100;
const endedShown = 20;
/** Of a record's arguments, in UTF-16 code units; the trail itself has all. */
const shownOfArgs = 2_000;
const shownFiles = 20;

export interface ActivityParts {
  readonly store: DeviceStore;
  readonly activity: ActivityStore;
  readonly trails: Trails;
  readonly folders: OpenedFolders;
  readonly log: EventLog;
}

/** What a tab can see of what was done here, and decide of what is asked. */
export type ActivityUseCases = ReturnType<typeof activityUseCases>;

type GivenFilter = Omit<TrailFilter, "trail"> & { readonly trail?: string | undefined };

/**
 * What the page can ask and do about approvals, runs and audit trails. A trail is named by the id of its project, or by
 * `device`.
 */
export function activityUseCases({ store, activity, trails, folders, log }: ActivityParts) {
  const projectAt = (root: string) =>
    store.projects.list().find(({ folderPath }) => folderPath !== null && lastPlaceOf(folderPath) === root)?.name ??
    null;
  const shown = (approval: Approval) => ({ ...approval, project: projectAt(approval.root) });
  const trailOf = (id: string): TrailId => (id === "device" ? id : projectId.parse(id));

  return {
    /** What waits for a yes, and how what waited lately has ended. */
    approvals: () => ({
      waiting: activity.approvals.waiting().map(shown),
      ended: activity.approvals.ended(endedShown).map(shown),
    }),

    /** @throws DeviceError `approval_unknown`, `approval_ended` */
    answer(id: string, isApproved: boolean) {
      decideApproval(activity.approvals, id, isApproved, "console");
      log.add({ type: "activity" });
      return { id, isApproved };
    },

    /** Which trails there are, who called with which tools, and which of them cannot be read. */
    trails() {
      const names = trails.names();
      const unreadable = trails
        .unreadable()
        .map(({ id, name, path, error }) => ({ id, name, path, why: toldError(error) }));
      return { trails: trails.list(), unreadable, ...names };
    },

    page({ trail, ...filter }: GivenFilter, places: TrailPlaces) {
      const wanted = { ...filter, ...(trail !== undefined && { trail: trailOf(trail) }) };
      const { records, next } = trails.page(wanted, places, recordsAPage);
      return { records: records.map(shownRecord), next };
    },

    /** @throws DeviceError `project_unknown` */
    verify: (trail: string) => trails.verify(trailOf(trail)),

    /** @throws DeviceError `project_unknown` */
    export: (trail: string) => trails.export(trailOf(trail)),

    /** Runs of agents, and sessions of programs at the files of a folder, by their beginning, the latest first. */
    runs() {
      const kept = activity.runs.list(runsShown);
      const own = new Set<string>(kept.map(({ id }) => id));
      const sessions = trails.sessions(runsShown);
      const of = new Map(sessions.map((each) => [each.session, each]));
      const entries = [
        ...kept.map((run) => ofRun(run, of.get(run.id), chargeOf(store, run.tokens))),
        ...sessions.filter(({ session }) => !own.has(session)).map(ofSession),
      ];
      return { runs: entries.toSorted((a, b) => b.begunAt - a.begunAt).slice(0, runsShown) };
    },

    /**
     * Puts back what a session changed in a folder, all or none.
     *
     * @throws FileRefusal `conflict` when a file has changed since, `patch_empty`, `version_pruned`; DeviceError
     * `project_unknown`, `folder_not_linked`, `folder_not_found`
     */
    async undo(trail: string, session: string) {
      const id = projectId.safeParse(trail);
      if (!id.success) throw new DeviceError("project_unknown", { data: { id: trail } });
      const { files } = await folders.asPerson(id.data, true, async ({ project, session: person }) => {
        const outcome = await project.access.undoSession(person, session);
        if (outcome.ok) return outcome.result;
        throw new FileRefusal(outcome.error.code, outcome.error.message);
      });
      log.add({ type: "files", project: id.data });
      log.add({ type: "activity" });
      return { files: files?.map(({ path }) => path) ?? [] };
    },
  };
}

function shownRecord({ trail, record }: TrailRecord) {
  const { seq, at, caller, session, tool, args, decision, outcome, files } = record;
  const text = JSON.stringify(args);
  return {
    ...{ trail, seq, at, caller, session, tool, decision, outcome },
    // Of codes that are the device's or its home's; the page has words for those of files, tools and agents.
    why: isKnownCode(outcome) ? toldCode(outcome) : null,
    args: text.slice(0, shownOfArgs).toWellFormed(),
    isCut: text.length > shownOfArgs,
    files: files.slice(0, shownFiles).map(({ path, versionId }) => ({ path, isChange: versionId !== null })),
    moreFiles: Math.max(0, files.length - shownFiles),
  };
}

/** One run or session, as it is listed. */
interface ShownRun {
  readonly id: string;
  /** Where its calls stand; null for all that the device may read. */
  readonly trail: TrailId | null;
  readonly caller: string;
  readonly begunAt: number;
  readonly endedAt: number | null;
  readonly status: KeptRun["status"];
  readonly why: ReturnType<typeof toldKeptIfAny>;
  /** Null where no model of this home was asked. */
  readonly tokens: number | null;
  /** What they came to, where the person has said a price. */
  readonly charge: Charge | null;
  readonly calls: number;
  readonly changes: number;
  readonly failures: number;
  readonly answerId: string | null;
}

function ofRun(run: KeptRun, session: TrailSession | undefined, charge: Charge | null): ShownRun {
  const { id, agent, begunAt, endedAt, status, code, tokens, calls, answerId } = run;
  const { changes = 0, failures = 0 } = session ?? {};
  return {
    ...{ id, begunAt, endedAt, status, tokens, charge, calls, changes, failures, answerId },
    why: toldKeptIfAny(code),
    trail: run.projectId,
    caller: `agent:${agent}`,
  };
}

function ofSession({ session, trail, caller, begunAt, endedAt, calls, changes, failures }: TrailSession): ShownRun {
  const none = { status: null, why: null, tokens: null, charge: null, answerId: null };
  return { id: session, trail, caller, begunAt, endedAt, calls, changes, failures, ...none };
}
