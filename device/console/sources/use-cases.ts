import { setTimeout } from "node:timers/promises";
import type { ScoutResponse } from "../../../events/http/scouts.ts";
import { maxTrialItems } from "../../../events/http/trials.ts";
import type { ProjectId, RunId, ScoutId } from "../../../events/ids.ts";
import type { SourceSettings } from "../../../events/sources/settings.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { browseFolders } from "../../folders/browse-folders.ts";
import type { Rescans } from "../../folders/indexer/rescans.ts";
import { unlinkFolder } from "../../folders/indexer/unlink-folder.ts";
import {
  addFolder,
  changeLocalScout,
  type LocalScoutChange,
  localScout,
  localScouts,
} from "../../folders/local-scouts.ts";
import { addSource } from "../../sources/add-source.ts";
import { actionsOf, runsOfProject, runsOfScout, type ShownRun } from "../../sources/asked/list-runs.ts";
import { sightOf } from "../../sources/asked/see.ts";
import {
  checkSettings,
  healthOfSource,
  pauseSource,
  runSource,
  showSource,
  sourceKinds,
} from "../../sources/control-source.ts";
import { editSource, restDaysOf } from "../../sources/edit-source.ts";
import { muteSender } from "../../sources/mute-sender.ts";
import { reconnectSource } from "../../sources/reconnect-source.ts";
import { removeScout } from "../../sources/remove-source.ts";
import { withState } from "../../sources/state.ts";
import { failingIn, sentencesIn, troublesIn, whyFailing } from "../../sources/trouble.ts";
import { newTrialId, tryPurpose } from "../../sources/try-purpose.ts";
import type { DeviceStore } from "../../store/open.ts";
import { scoutIsRemoved } from "../../store/scout-is-removed.ts";
import type { EventLog } from "../news/event-log.ts";
import {
  type ToldTrouble,
  toldError,
  toldFailing,
  toldFolder,
  toldKeptIfAny,
  toldSight,
  toldTrouble,
} from "../told.ts";
import type { Consents } from "./consents.ts";
import type { EditRequest } from "./contract.ts";

/** Runs shown of a scout. */
const shownRuns = 20;
/** Actions shown of a scan: a first one may have done something with each of 50,000 files. */
const shownActions = 500;

export interface SourceParts {
  readonly api: CloudApi;
  readonly store: DeviceStore;
  readonly log: EventLog;
  readonly newId: () => string;
  readonly consents: Consents;
  readonly rescans: Pick<Rescans, "rescanInBackground">;
}

/** A source to add, as a form gives it. */
interface Wanted {
  readonly source: string;
  readonly settings?: SourceSettings | undefined;
  readonly name?: string | undefined;
  readonly purpose: string;
}

/** What a tab can do with scouts and folders. */
export type SourceUseCases = ReturnType<typeof sourceUseCases>;

/** The use cases of sources, as the console offers them; whatever they change is told to every tab. */
export function sourceUseCases({ api, store, log, newId, consents, rescans }: SourceParts) {
  const changed = <T>(result: T): T => {
    log.add({ type: "scouts" });
    return result;
  };
  const troubleOf = (scout: ScoutResponse): ToldTrouble | null =>
    [...troublesIn([scout], store.knownScouts.off()).map(toldTrouble), ...failingIn([scout]).map(toldFailing)][0] ??
    null;
  const toldRun = (run: ShownRun) => ({ ...run, code: toldKeptIfAny(run.code) });

  return {
    /** One scout, and what keeps it. @throws ScoutsError `scout_not_found` */
    async scout(id: ScoutId) {
      const scout = await showSource(api, id);
      return { scout: withState(scout), trouble: troubleOf(scout) };
    },

    /** How it fares, with the sentence of each code. @throws ScoutsError `scout_not_found` */
    async health(id: ScoutId) {
      const health = await healthOfSource(api, id);
      const { code } = health.failures;
      const whyFailed = code === null ? null : toldError(whyFailing({ ...health.failures, code }));
      return { health, sentences: sentencesIn(health), whyFailed };
    },

    /** What it sees at its source now, or why nothing. @throws ScoutsError `scout_not_found` */
    sight: async (id: ScoutId) => toldSight(await sightOf(api, await showSource(api, id))),

    runs: async (id: ScoutId) => ({
      runs: (await runsOfScout(api, await showSource(api, id), shownRuns)).map(toldRun),
    }),

    kinds: async () => ({ kinds: await sourceKinds(api) }),

    /** Whether settings could be a source's; it is not reached. @throws as `checkSettings` */
    async check(source: string, settings: SourceSettings) {
      await checkSettings(api, source, settings);
      return { isFit: true };
    },

    /** Adds a source and says what it sees. @throws as `addSource` */
    add: ({ source, settings, name = "", purpose }: Wanted) =>
      consents.begin(async (consent) => {
        const given = { ...(settings && { settings }), ...(name.trim() !== "" && { name }) };
        const added = await addSource(api, { source, purpose, ...given }, consent);
        return changed({ id: added.scoutId, name: added.name, ...toldSight(added.sight) });
      }),

    /** Gives it its source again. @throws as `reconnectSource` */
    reconnect: (id: ScoutId, settings: SourceSettings) =>
      consents.begin(async (consent) => {
        const { scout, sight } = await reconnectSource(api, await showSource(api, id), settings, consent);
        store.knownScouts.mended(id);
        return changed({ id, name: scout.name, ...toldSight(sight) });
      }),

    /** Changes what its owner may change. @throws as `editSource`; DeviceError `usage`; ScoutsError `conflict` */
    edit: (id: ScoutId, { pauseAfterDays: typed, ...change }: EditRequest) =>
      consents.begin(async (consent) => {
        const asked = { ...change, ...(typed !== undefined && { pauseAfterDays: restDaysOf(typed) }) };
        const { name } = await editSource(api, id, asked, () => consent);
        return changed({ id, name, sees: null, error: null });
      }),

    outcome: (id: string) => consents.outcome(id),
    cancel: (id: string) => consents.cancel(id),

    /**
     * What another purpose would change of the newest verdicts; the scout stays as it is. Whoever stops waiting leaves a
     * trial behind that ends by itself. @throws as `tryPurpose`
     */
    async try(id: ScoutId, purpose: string, signal: AbortSignal) {
      const watch = {
        home: () => api,
        signal,
        now: () => performance.now(),
        pause: (ms: number) => setTimeout(ms, undefined, { signal }),
      };
      const scout = await showSource(api, id);
      return { trial: await tryPurpose(watch, scout, newTrialId(newId), { purpose, last: maxTrialItems }) };
    },

    pause: async (id: ScoutId, paused: boolean) => changed(await pauseSource(api, id, paused)),
    run: (id: ScoutId) => runSource(api, id),
    mute: async (id: ScoutId, address: string, muted: boolean) =>
      changed({ address: (await muteSender(api, address, muted, id)).address }),

    async remove(id: ScoutId) {
      await removeScout(api, id);
      scoutIsRemoved(store, id);
      return changed({ removed: id });
    },

    /** The folders in a folder, to choose one without typing its path. @throws as `browseFolders` */
    places: (path: string | undefined) => browseFolders(path),

    folders: () => ({ folders: localScouts(store).map(toldFolder) }),
    /** @throws DeviceError `project_unknown`, `folder_not_linked` */
    folder: (id: ProjectId) => ({ folder: toldFolder(localScout(store, id)) }),
    /** The newest scans of a folder. @throws DeviceError `project_unknown` */
    scans: (id: ProjectId) => ({ runs: runsOfProject(store, store.projects.get(id), shownRuns).map(toldRun) }),
    /** What a scan did, file by file. */
    scanActions(id: RunId) {
      const actions = actionsOf(store, id) ?? [];
      const shown = actions.slice(0, shownActions);
      return { actions: shown.map((each) => ({ ...each, code: toldKeptIfAny(each.code) })), total: actions.length };
    },
    /** @throws as `addFolder` */
    async link(name: string, path: string) {
      const folder = await addFolder(store, name, path);
      rescans.rescanInBackground(folder.id, "link");
      return changed({ folder: toldFolder(folder) });
    },
    /** @throws DeviceError `project_unknown`, `folder_not_linked` */
    setFolder(id: ProjectId, change: LocalScoutChange) {
      changeLocalScout(store, id, change);
      return changed({ folder: toldFolder(localScout(store, id)) });
    },
    /** @throws DeviceError `project_unknown`, `folder_not_linked` */
    rescan(id: ProjectId) {
      localScout(store, id);
      rescans.rescanInBackground(id, "manual");
      return { queued: true };
    },
    /** @throws DeviceError `project_unknown` */
    unlink(id: ProjectId) {
      unlinkFolder(store, { id });
      return changed({ removed: id });
    },
  };
}
