import { isScoutsError, type ScoutsError } from "../../../events/errors.ts";
import type { ProjectId } from "../../../events/ids.ts";
import type { EmbeddingModel } from "../../../shared/llm/embedding-model.ts";
import type { Clock } from "../../connection/clock.ts";
import { type DeviceError, isDeviceError } from "../../errors.ts";
import { type RepeatedLook, repeatedLook } from "../../repeated-look.ts";
import type { DeviceStore } from "../../store/open.ts";
import { diskVersionOf, indexPath } from "../index/index-file.ts";
import { embedFolders } from "./embed-folders.ts";
import { type EmbeddingSetting, readEmbeddingSetting } from "./embedding-setting.ts";
import { openEmbeddingModel } from "./open-model.ts";

/** How often is looked whether an index has passages without a vector. */
const lookEveryMs = 20_000;
/** What a model could not be asked is asked again after so long, then after twice as long. */
const firstRestMs = 60_000;
const longestRestMs = 3_600_000;
/** An index that has not changed is looked at again all the same: what was left may be had by now, the model be another. */
const settledForMs = 3_600_000;

export interface EmbeddingKeeperOptions {
  readonly store: DeviceStore;
  readonly clock: Clock;
  /** The model cannot be used, or an index not be written: told once until it is another problem or none. */
  readonly onProblem: (error: Error) => void;
}

/** Gives passages their vectors as they come, where an embedding model is set; what is set is read anew at every look. */
export function keepEmbedded({ store, clock, onProblem }: EmbeddingKeeperOptions): RepeatedLook {
  const ending = new AbortController();
  const settled = new Map<ProjectId, { readonly version: string; readonly untilMs: number }>();
  let opened: { readonly text: string; readonly model: EmbeddingModel } | undefined;
  let rest = { untilMs: 0, lengthMs: firstRestMs };
  let told: string | undefined;

  const tell = (error: DeviceError | ScoutsError) => {
    if (told !== error.code) onProblem(error);
    told = error.code;
  };
  const versionOf = (id: ProjectId, text: string) => `${text} ${diskVersionOf(indexPath(store.dataFolder, id))}`;

  const pass = async (setting: EmbeddingSetting) => {
    const text = JSON.stringify(setting);
    if (opened?.text !== text) {
      opened = { text, model: await openEmbeddingModel(setting) };
      rest = { untilMs: 0, lengthMs: firstRestMs };
      settled.clear();
    }
    if (clock.now() < rest.untilMs) return;
    const isFresh = (id: ProjectId) => clock.now() < (settled.get(id)?.untilMs ?? 0);
    const done = await embedFolders({
      store,
      setting,
      model: opened.model,
      clock,
      signal: ending.signal,
      wants: ({ id }) => !isFresh(id) || settled.get(id)?.version !== versionOf(id, text),
      probes: ({ id }) => !isFresh(id),
    });
    const problem = done?.find((each) => each.problem !== undefined)?.problem;
    for (const { project, problem: own } of done ?? []) {
      if (own !== undefined) continue;
      const untilMs = isFresh(project.id) ? (settled.get(project.id)?.untilMs ?? 0) : clock.now() + settledForMs;
      settled.set(project.id, { version: versionOf(project.id, text), untilMs });
    }
    if (problem === undefined) {
      if ((done?.length ?? 0) > 0) told = undefined;
      rest = { untilMs: 0, lengthMs: firstRestMs };
      return;
    }
    const asked = isScoutsError(problem) ? problem.data["retryAfterMs"] : undefined;
    const waitMs = Math.max(rest.lengthMs, typeof asked === "number" ? asked : 0);
    rest = { untilMs: clock.now() + waitMs, lengthMs: Math.min(longestRestMs, rest.lengthMs * 2) };
    tell(problem);
  };
  const look = async () => {
    try {
      const setting = readEmbeddingSetting(store.dataFolder);
      if (setting !== undefined) await pass(setting);
    } catch (error) {
      if (!isDeviceError(error)) throw error;
      tell(error);
    }
  };
  const looks = repeatedLook({ clock, everyMs: lookEveryMs, look, onProblem });
  return {
    ...looks,
    close() {
      ending.abort();
      return looks.close();
    },
  };
}
