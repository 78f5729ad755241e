import { isScoutsError } from "../../events/errors.ts";
import { age } from "../age.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { listScouts } from "../connect/list-scouts.ts";
import { isDeviceError } from "../errors.ts";
import { stateOf } from "../sources/state.ts";
import { causeOf, cureOf, type Failing, failingIn, type Trouble, troublesIn, wordFor } from "../sources/trouble.ts";
import type { KnownScoutTable } from "../store/tables/known-scouts.ts";
import type { Check } from "./checks.ts";

/** A check that failed for each scout that is off, as far as this device knows. */
export function checkKnownScouts(off: readonly Trouble[], nowMs: number): Check[] {
  return off.map((trouble) => {
    const { id, name, offCode, offSince } = trouble;
    const since = offSince === null ? "" : ` since ${age(offSince, nowMs)} ago`.replace("now ago", "just now");
    const detail = `${name ?? id} reads nothing${since}: ${causeOf(offCode)}`;
    return { name: "scout", state: "fail", detail, advice: `Run: ${cureOf(trouble)}` };
  });
}

/** A check that failed for each scout that cannot look at its source. */
function checkFailing(failing: readonly Failing[], nowMs: number): Check[] {
  return failing.map(({ id, name, code, since }) => {
    const stood = since === null ? "now" : age(since, nowMs);
    const detail = `${name} cannot look at its source${stood === "now" ? "" : ` for ${stood}`}: ${causeOf(code)} (${code})`;
    return { name: "scout", state: "fail", detail, advice: `Run: scouts health ${wordFor({ id, name })}` };
  });
}

/** How the scouts are, asked of the home. @param withKnown what the device knows of its scouts is kept up to date by it */
export async function checkScouts(
  home: CloudApi,
  nowMs: number,
  withKnown: <T>(work: (known: KnownScoutTable) => T) => T | undefined,
): Promise<Check[]> {
  try {
    const scouts = await listScouts(home);
    const known = withKnown((table) => {
      table.replace(scouts);
      return table.off();
    });
    const kept = [...checkKnownScouts(troublesIn(scouts, known), nowMs), ...checkFailing(failingIn(scouts), nowMs)];
    if (kept.length > 0) return kept;
    const working = scouts.filter((scout) => stateOf(scout).state === "watching").length;
    return [{ name: "scouts", state: "ok", detail: `${working} of ${scouts.length} at work` }];
  } catch (error) {
    if (!isDeviceError(error) && !isScoutsError(error)) throw error;
    return [{ name: "scouts", state: "fail", detail: `they could not be asked for: ${error.message}` }];
  }
}
