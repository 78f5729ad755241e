import * as z from "zod";
import { deletionResponse } from "../../events/http/scouts.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { pathOf } from "./scout-named.ts";

/**
 * Ends a scout: its watch, its access, all the cloud knows of it. The cloud tells the devices, connected or when they come
 * back; the one that asks closes the scout's proposals itself (device/store/scout-is-removed.ts).
 */
export async function removeScout(api: CloudApi, id: string): Promise<void> {
  // Of a scout with very many rows, each request removes as many as it has time for.
  const answer = z.union([z.undefined(), deletionResponse]);
  while ((await askCloud(api, "DELETE", pathOf(id), answer)) !== undefined);
}
