import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { type TrialResponse, trialResponse } from "../../events/http/trials.ts";
import { type TrialId, trialId } from "../../events/ids.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { DeviceError, isDeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import { asWord } from "../shell-words.ts";
import { lookAt } from "./asked/see.ts";
import { textOf } from "./names.ts";
import { pathOf } from "./scout-named.ts";

/** How often it is asked how a trial stands: well within what the API allows a person. */
const pauseMs = 1_000;
/** A home that does not answer, or items that get no result, for so long are not waited for. */
const patienceMs = 15 * 60_000;

/** What a trial is watched with. */
export interface TrialWatch {
  /** Where the home is; asked anew each time, since one that was started again may be elsewhere. */
  readonly home: () => CloudApi;
  readonly signal: AbortSignal;
  /** Milliseconds of a clock that never steps back. */
  readonly now: () => number;
  /** @throws when the signal is aborted */
  readonly pause: (ms: number) => Promise<void>;
  /** Called with every new state. */
  readonly onProgress?: (trial: TrialResponse) => void;
}

/** A new trial's id: with it, starting it again after a lost answer starts no second one. */
export const newTrialId = (newId: () => string): TrialId => trialId.parse(`trl_${newId()}`);

/**
 * Has a scout's newest verdicts asked for again by another purpose and waits for what would change. The scout is as it was,
 * whatever comes of it. A home that is away meanwhile is waited for.
 *
 * @param last how many of them, at most 50
 * @returns the trial, with sender and subject of what would change
 * @throws DeviceError `usage` (the purpose's length), `scout_unknown` (removed meanwhile), `interrupted` (it goes on: see
 * {@link resumeTrial}), `answer_overdue`; ScoutsError `trial_without_items`, and where no item at all could be judged its
 * cause: `quota_exceeded`, `model_*`, `source_*`
 */
export async function tryPurpose(
  watch: TrialWatch,
  scout: Pick<ScoutResponse, "id" | "name">,
  trial: TrialId,
  { purpose, last }: { readonly purpose: string; readonly last: number },
): Promise<TrialResponse> {
  const body = { trialId: trial, purpose: textOf(purpose, "purpose"), last };
  const path = `${pathOf(scout.id)}/trials`;
  await patiently(watch, scout, trial, () => askCloud(watch.home(), "POST", path, trialResponse, body));
  return resumeTrial(watch, scout, trial);
}

/** Waits for a trial that was started before, on this device or another. @throws as {@link tryPurpose} */
export async function resumeTrial(
  watch: TrialWatch,
  scout: Pick<ScoutResponse, "id" | "name">,
  trial: TrialId,
): Promise<TrialResponse> {
  const path = `${pathOf(scout.id)}/trials/${trial}`;
  const ask = (query = "") => patiently(watch, scout, trial, () => look(watch.home(), path + query));
  let newest = { judged: -1, atMs: watch.now() };
  for (;;) {
    const shown = await ask();
    if (shown.judged !== newest.judged) watch.onProgress?.(shown);
    if (shown.status === "completed") return requireSome(watch.home(), scout, await ask("?source=read"));
    if (shown.judged > newest.judged) newest = { judged: shown.judged, atMs: watch.now() };
    if (watch.now() - newest.atMs > patienceMs) throw new DeviceError("answer_overdue");
    await paused(watch, scout, trial);
  }
}

const look = (api: CloudApi, path: string) => askCloud(api, "GET", path, trialResponse);

/** Asks until there is an answer. */
async function patiently(
  watch: TrialWatch,
  scout: Pick<ScoutResponse, "id" | "name">,
  trial: TrialId,
  ask: () => Promise<TrialResponse>,
): Promise<TrialResponse> {
  const sinceMs = watch.now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isScoutsError(error, "scout_not_found") || isScoutsError(error, "scout_deleting")) {
        throw exactError("scout_unknown", "removed", { name: scout.name }, { cause: error });
      }
      if (!mayPass(error) || watch.now() - sinceMs > patienceMs) throw error;
    }
    await paused(watch, scout, trial);
  }
}

async function paused(watch: TrialWatch, scout: Pick<ScoutResponse, "name">, trial: TrialId): Promise<void> {
  try {
    await watch.pause(pauseMs);
  } catch (cause) {
    if (!watch.signal.aborted) throw cause;
    const sentence = `Interrupted; the trial goes on, and its result is kept for twelve hours: scouts try ${asWord(scout.name)} --resume ${trial}`;
    throw new DeviceError("interrupted", { sentence, cause });
  }
}

/** Nobody there, a home that starts, a store that is throttled: what another try may not meet. */
function mayPass(error: unknown): boolean {
  if (isScoutsError(error)) return error.kind.retry !== "never" && error.code !== "quota_exceeded";
  if (isDeviceError(error, "home_not_running")) return true;
  if (!isDeviceError(error, "request_refused")) return false;
  const { status } = error.data;
  return status === undefined || (typeof status === "number" && status >= 500);
}

/** What kept every item from being judged is the answer; of a source that is away, why, as far as it is so still. */
async function requireSome(
  api: CloudApi,
  { id }: Pick<ScoutResponse, "id">,
  trial: TrialResponse,
): Promise<TrialResponse> {
  const [first] = trial.items;
  const code = first?.code ?? undefined;
  if (code === undefined || !trial.items.every((item) => item.code === code)) return trial;
  const sight = code === "source_unavailable" ? await lookAt(api, id) : undefined;
  throw sight?.isSeen === false && sight.error.code === code ? sight.error : new ScoutsError(code);
}
