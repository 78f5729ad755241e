import { isScoutsError } from "../../events/errors.ts";
import {
  type CreatedScoutResponse,
  createdScoutResponse,
  type ScoutResponse,
  scoutResponse,
} from "../../events/http/scouts.ts";
import type { SourceSees } from "../../events/sources/sees.ts";
import type { SourceSettings } from "../../events/sources/settings.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { connectGmail } from "../connect/connect-gmail.ts";
import { listScouts } from "../connect/list-scouts.ts";
import { isDeviceError } from "../errors.ts";
import { firstSight, type Sight } from "./asked/see.ts";
import { type Consent, consentSources } from "./consent.ts";
import { explained } from "./explained.ts";
import { nameAfterTitle, nameFor, textOf } from "./names.ts";
import { removeScout } from "./remove-source.ts";
import { pathOf } from "./scout-named.ts";

export interface NewSource {
  readonly source: string;
  /** What it would be called; made up from the source when absent, and told from the names there are. */
  readonly name?: string;
  readonly purpose: string;
  readonly settings?: SourceSettings;
}

export interface AddedSource {
  readonly scoutId: string;
  readonly name: string;
  readonly source: string;
  /** What it sees, or why nothing yet: it is there all the same. */
  readonly sight: Sight;
}

/**
 * Adds a source: makes a scout on it, connects it and says what it sees. When the source cannot be reached, or the person
 * does not consent, there is no scout afterwards.
 *
 * @throws DeviceError `usage` (name or purpose), `scout_exists`, `source_in_use`, `source_unknown`, `consent_refused`,
 * `consent_abandoned`; ScoutsError `source_*`, `consent_incomplete` …
 */
export async function addSource(api: CloudApi, wanted: NewSource, consent: Consent): Promise<AddedSource> {
  const { source, settings } = wanted;
  const purpose = textOf(wanted.purpose, "purpose");
  const others = await listScouts(api);
  const name = nameFor(wanted, others);
  const request = { sourceType: source, name, purpose, ...(settings && { settings }) };
  const made = await askCloud(api, "POST", "/api/v1/scouts", createdScoutResponse, request).catch((error: unknown) => {
    throw explained(error, others);
  });
  if (consentSources.has(source)) await consented(api, made, consent, others);
  const sight = await seen(api, made, consent.signal);
  const known =
    wanted.name === undefined && sight.isSeen ? await renamed(api, made, sight.sees, settings, others) : name;
  return { scoutId: made.id, name: known, source, sight };
}

/** What was seen before the source was asked to tell of news is looked at once more; where that fails it is as it was seen. */
async function seen(api: CloudApi, { id, sees: before }: CreatedScoutResponse, signal: AbortSignal): Promise<Sight> {
  if (before !== null && before.push !== "soon") return { isSeen: true, sees: before };
  const sight = await firstSight(api, id, signal);
  return before === null || sight.isSeen ? sight : { isSeen: true, sees: before };
}

/** A feed is known by its title, which is read only when its scout is there. A name is not worth failing for. */
async function renamed(
  api: CloudApi,
  { id, name }: CreatedScoutResponse,
  { place }: SourceSees,
  settings: SourceSettings | undefined,
  others: readonly ScoutResponse[],
): Promise<string> {
  const url = settings?.["url"];
  const title = typeof url === "string" ? nameAfterTitle(place, url, others) : null;
  if (title === null) return name;
  try {
    return (await askCloud(api, "PATCH", pathOf(id), scoutResponse, { name: title })).name;
  } catch (error) {
    if (!isScoutsError(error) && !isDeviceError(error)) throw error;
    return name;
  }
}

/** A scout that nobody consented to would be half a scout. */
async function consented(
  api: CloudApi,
  { id }: CreatedScoutResponse,
  consent: Consent,
  others: readonly ScoutResponse[],
): Promise<void> {
  try {
    await connectGmail(api, { scoutId: id, ...consent });
  } catch (error) {
    await removeScout(api, id);
    throw explained(error, others);
  }
}

/** Adds the sample mail that comes with the program, for who has no mail of their own at hand. @throws as `addSource` */
export const addSample = (api: CloudApi, path: string, consent: Consent): Promise<AddedSource> =>
  addSource(
    api,
    {
      source: "mailbox",
      name: "Sample",
      purpose: "Show me what people and services I deal with want from me.",
      settings: { path },
    },
    consent,
  );
