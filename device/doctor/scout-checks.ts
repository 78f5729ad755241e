import { isScoutsError } from "../../events/errors.ts";
import { age } from "../age.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { listScouts } from "../connect/list-scouts.ts";
import { isDeviceError } from "../errors.ts";
import { causeOf, cureOf, type Trouble, troublesIn } from "../sources/trouble.ts";
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
    const off = troublesIn(scouts, known);
    if (off.length > 0) return checkKnownScouts(off, nowMs);
    const working = scouts.filter(({ connected, paused }) => connected && !paused).length;
    return [{ name: "scouts", state: "ok", detail: `${working} of ${scouts.length} at work` }];
  } catch (error) {
    if (!isDeviceError(error) && !isScoutsError(error)) throw error;
    return [{ name: "scouts", state: "fail", detail: `they could not be asked for: ${error.message}` }];
  }
}
