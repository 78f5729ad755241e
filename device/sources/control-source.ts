import * as z from "zod";
import { type ScoutHealth, scoutHealth } from "../../events/health.ts";
import {
  runResponse,
  type ScoutResponse,
  type SourceKind,
  scoutResponse,
  sourceListResponse,
} from "../../events/http/scouts.ts";
import type { SourceSettings } from "../../events/sources/settings.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { refusedField, refusedNumber } from "./explained.ts";
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

const bound = z.number().optional().catch(undefined);

/** What is looked at of a source's schema (JSON Schema 2020-12). */
const valueForms = z.looseObject({
  properties: z
    .record(
      z.string(),
      z.looseObject({
        type: z.unknown().optional(),
        format: z.unknown().optional(),
        minimum: bound,
        maximum: bound,
      }),
    )
    .default({}),
});

/**
 * Refuses settings whose form no source of the kind takes: a web address that is none, a number that is none or out of its
 * range. All else is the home's to say, which reads them as its connector does and reaches the source.
 *
 * @throws DeviceError `usage`, which names the field
 */
export async function checkSettings(api: CloudApi, source: string, settings: SourceSettings): Promise<void> {
  const kind = (await sourceKinds(api)).find((each) => each.source === source);
  const { properties } = valueForms.parse(kind?.settings ?? {});
  for (const [field, { type, format, minimum, maximum }] of Object.entries(properties)) {
    const value = settings[field];
    if (value === undefined) continue;
    if (format === "uri" && !isWebAddress(value)) throw refusedField(field);
    if (type !== "integer") continue;
    const [least, most] = [edgeOf(minimum), edgeOf(maximum)];
    const isWhole = typeof value === "number" && Number.isSafeInteger(value);
    if (!isWhole || value < (least ?? value) || value > (most ?? value)) throw refusedNumber(field, { least, most });
  }
}

/** Beyond what a program counts to an edge says no more than that a number is whole. */
const edgeOf = (edge: number | undefined): number | undefined =>
  edge !== undefined && Math.abs(edge) < Number.MAX_SAFE_INTEGER ? edge : undefined;

function isWebAddress(value: unknown): boolean {
  const url = typeof value === "string" ? URL.parse(value.trim()) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
