import * as z from "zod";
import { type UsageResponse, usageResponse } from "../../events/http/usage.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import type { DeviceStore } from "../store/open.ts";

/** Tokens by month and feature, asked of the home; it counts them. @param months this one and so many less one before it; 13 at most @throws ScoutsError; DeviceError `request_refused` */
export const askUsage = (api: CloudApi, months = 1): Promise<UsageResponse> =>
  askCloud(api, "GET", `/api/v1/usage${months === 1 ? "" : `?months=${months}`}`, usageResponse);

const name = "usage.told";
const kept = z.object({ atMs: z.number(), usage: usageResponse });

/** What a home has said, and when; for the days on which it does not answer. */
export type ToldUsage = z.infer<typeof kept>;

/** Keeps what the home has said, in place of what it said before. */
export function keepUsage({ cursors }: DeviceStore, told: ToldUsage): void {
  cursors.set(name, JSON.stringify(told));
}

/** The last thing a home has said; undefined when none ever did, or a version that said it otherwise. */
export function keptUsage({ cursors }: DeviceStore): ToldUsage | undefined {
  const value = cursors.get(name)?.value;
  return value === undefined ? undefined : kept.safeParse(JSON.parse(value)).data;
}
