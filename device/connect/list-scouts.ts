import { type ScoutResponse, scoutListResponse } from "../../events/http/scouts.ts";
import { askCloud, type CloudApi } from "./cloud-api.ts";

const pageSize = 100;

/** Every scout of the person, oldest first, page by page. @throws ScoutsError; DeviceError `request_refused` */
export async function listScouts(api: CloudApi): Promise<ScoutResponse[]> {
  const all: ScoutResponse[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await askCloud(api, "GET", `/api/v1/scouts?limit=${pageSize}${query}`, scoutListResponse);
    all.push(...page.scouts);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}
