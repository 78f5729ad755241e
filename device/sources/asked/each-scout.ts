import type { ScoutHealth } from "../../../events/health.ts";
import type { ScoutResponse } from "../../../events/http/scouts.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { inOrder } from "../../in-order.ts";
import { healthOfSource } from "../control-source.ts";
import { type Failing, failingIn } from "../trouble.ts";
import { runsOfScout, type ShownRun } from "./list-runs.ts";
import { withMissing } from "./see.ts";

/**
 * Scouts that a home is asked about at once. It takes a hundred requests of a person and two a second from then on: of all of many
 * scouts, asked together, the last would have to wait longer than a request is made again.
 */
const atOnce = 4;

/** How each of some scouts does its work, in their order, each as soon as it is known. @throws ScoutsError, DeviceError */
export async function* healthOfEach(
  api: CloudApi,
  scouts: readonly ScoutResponse[],
): AsyncGenerator<{ scout: ScoutResponse; failing: readonly Failing[]; health: ScoutHealth & MissingFolders }> {
  const asked = inOrder(scouts, atOnce, (scout) =>
    Promise.all([healthOfSource(api, scout.id), withMissing(api, failingIn([scout]))]),
  );
  for await (const [scout, [health, failing]] of asked) {
    const missingFolders = failing.flatMap(({ missing = [] }) => missing);
    yield { scout, failing, health: { ...health, missingFolders } };
  }
}

interface MissingFolders {
  /** Folders that it is to read and that are not there. */
  readonly missingFolders: readonly string[];
}

/** The newest runs of each of some scouts. @throws ScoutsError, DeviceError */
export async function runsOfEach(
  api: CloudApi,
  scouts: readonly Pick<ScoutResponse, "id" | "name" | "sourceType">[],
  limit: number,
): Promise<ShownRun[][]> {
  const each: ShownRun[][] = [];
  for await (const [, runs] of inOrder(scouts, atOnce, (scout) => runsOfScout(api, scout, limit))) each.push(runs);
  return each;
}
