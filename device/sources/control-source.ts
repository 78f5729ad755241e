import { type ScoutHealth, scoutHealth } from "../../events/health.ts";
import {
  runResponse,
  type ScoutResponse,
  type SourceKind,
  scoutResponse,
  sourceListResponse,
} from "../../events/http/scouts.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { pathOf } from "./scout-named.ts";

/** One scout as it is now. @throws ScoutsError `scout_not_found` */
export const showSource = (api: CloudApi, id: string): Promise<ScoutResponse> =>
  askCloud(api, "GET", pathOf(id), scoutResponse);

/** Has a scout rest, or go on where it had stopped. @throws ScoutsError `scout_not_found`, `conflict` */
export const pauseSource = (api: CloudApi, id: string, paused: boolean): Promise<ScoutResponse> =>
  askCloud(api, "PATCH", pathOf(id), scoutResponse, { paused });

/** Has a scout look at its source now. @throws ScoutsError `scout_paused`, or the code of what has switched it off */
export const runSource = (api: CloudApi, id: string): Promise<{ readonly queued: true }> =>
  askCloud(api, "POST", `${pathOf(id)}/run`, runResponse);

/** Whether a scout does its work, and if not, why. @throws ScoutsError `scout_not_found` */
export const healthOfSource = (api: CloudApi, id: string): Promise<ScoutHealth> =>
  askCloud(api, "GET", `${pathOf(id)}/health`, scoutHealth);

/** The kinds of source the home reads, and what it takes to connect each. */
export async function sourceKinds(api: CloudApi): Promise<readonly SourceKind[]> {
  return (await askCloud(api, "GET", "/api/v1/sources", sourceListResponse)).sources;
}
