import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { isDeviceError } from "../../device/errors.ts";
import { isScoutsError } from "../../events/errors.ts";
import type { CliContext, CommonOptions } from "../context.ts";
import { age } from "../output/output.ts";
import { askScouts, withKnownScouts } from "../scouts/known-scouts.ts";
import { causeOf, cureOf, type Trouble } from "../scouts/trouble.ts";
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

/** How the scouts are, asked of the home. */
export async function checkScouts(context: CliContext, options: CommonOptions, home: CloudApi): Promise<Check[]> {
  try {
    const scouts = await askScouts(context, options, home);
    const known = withKnownScouts(context, options, (table) => table.off()) ?? [];
    const off = scouts.flatMap(({ id, name, disabledCode: offCode }): Trouble[] => {
      const offSince = known.find((each) => each.id === id)?.offSince ?? null;
      return offCode === null ? [] : [{ id, name, offCode, offSince }];
    });
    if (off.length > 0) return checkKnownScouts(off, context.now());
    const working = scouts.filter(({ connected, paused }) => connected && !paused).length;
    return [{ name: "scouts", state: "ok", detail: `${working} of ${scouts.length} at work` }];
  } catch (error) {
    if (!isDeviceError(error) && !isScoutsError(error)) throw error;
    return [{ name: "scouts", state: "fail", detail: `they could not be asked for: ${error.message}` }];
  }
}
