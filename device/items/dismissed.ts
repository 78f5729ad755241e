import * as z from "zod";
import { type SpamListResponse, spamListResponse } from "../../events/http/items.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { writtenAt } from "../categorize/written-at.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { severalCalled } from "../errors/several-called.ts";
import { pathOf } from "../sources/scout-named.ts";
import { shortestPrefix } from "../store/find-proposal.ts";

/** Items a page holds. With their sources read, a page is one request to a source that reads in batches. */
export const dismissedPageSize = 50;
/** The same where only the cloud's own rows are read. */
const barePageSize = 100;
/** How many of a scout's dismissed items are looked through for one that is named in part. */
const mostSearched = 5_000;

export type Dismissed = SpamListResponse["items"][number] & { readonly scout: Pick<ScoutResponse, "id" | "name"> };

/** A page of what a scout has dismissed. @param cursor of the page before; null for the first */
export async function dismissedPage(
  api: CloudApi,
  scoutId: string,
  { cursor, limit, read }: { cursor: string | null; limit: number; read: boolean },
): Promise<SpamListResponse> {
  const query = new URLSearchParams({ limit: String(limit), source: read ? "read" : "skip" });
  if (cursor !== null) query.set("cursor", cursor);
  return askCloud(api, "GET", `${pathOf(scoutId)}/spam?${query}`, spamListResponse);
}

/** What a scout has dismissed, newest first, a page at a time. @param read asks sender and subject of the source too */
export async function* dismissedBy(
  api: CloudApi,
  { id, name }: Pick<ScoutResponse, "id" | "name">,
  limit: number,
  read: boolean,
): AsyncGenerator<readonly Dismissed[]> {
  let cursor: string | null = null;
  let left = limit;
  do {
    const size = Math.min(read ? dismissedPageSize : barePageSize, left);
    const page: SpamListResponse = await dismissedPage(api, id, { cursor, limit: size, read });
    yield page.items.map((item) => ({ ...item, scout: { id, name } }));
    left -= page.items.length;
    cursor = page.nextCursor;
  } while (cursor !== null && left > 0);
}

/**
 * When a dismissed item was written, as of a proposal, in milliseconds since the epoch; when it was judged, where its source was not
 * asked or did not say.
 */
export function whenWritten({
  atSource,
  triagedAt,
}: Pick<SpamListResponse["items"][number], "atSource" | "triagedAt">): number {
  if (atSource === undefined || "code" in atSource) return triagedAt;
  const { sentAt, arrivedAt, receivedAt } = atSource;
  return sentAt === undefined && arrivedAt === undefined
    ? receivedAt
    : writtenAt({ metadata: { sentAt, arrivedAt }, triagedAt });
}

/** What a dismissed item is called in full, as a proposal is. */
const idOf = ({ scout, ref }: Dismissed): string => `${scout.id}.${ref}`;

/** Takes a dismissed item back, out of Trash too; it becomes a proposal. @throws ScoutsError `proposal_not_found` */
export async function restoreDismissed(api: CloudApi, scoutId: string, ref: string): Promise<void> {
  await askCloud(api, "POST", `${pathOf(scoutId)}/spam/${encodeURIComponent(ref)}/restore`, z.undefined());
}

/**
 * The dismissed item that is called so, by its ref, its id or how they begin; undefined where none is.
 *
 * @throws DeviceError `usage` where several are
 */
export async function dismissedCalled(
  api: CloudApi,
  scouts: readonly ScoutResponse[],
  text: string,
): Promise<Dismissed | undefined> {
  const found = await findDismissed(api, scouts, text);
  if (found.length > 1) {
    const ids = found.map((item) => ({ id: idOf(item) }));
    throw severalCalled("dismissed items", text, ids);
  }
  return found[0];
}

/**
 * Dismissed items whose ref or id begins with a text of four characters at least; where it is the whole ref or id of some, those
 * alone. Of less, an empty one above all, the only item there is would be taken for the one that is meant.
 */
async function findDismissed(
  api: CloudApi,
  scouts: readonly ScoutResponse[],
  text: string,
): Promise<readonly Dismissed[]> {
  const isPart = text.length >= shortestPrefix;
  const found: Dismissed[] = [];
  const exact: Dismissed[] = [];
  for (const scout of scouts) {
    for await (const items of dismissedBy(api, scout, mostSearched, false)) {
      const whole = items.find((item) => item.ref === text || idOf(item) === text);
      if (whole !== undefined && idOf(whole) === text) return [whole];
      if (whole !== undefined) {
        // A scout has one of a ref; another scout may have one of the same.
        exact.push(whole);
        break;
      }
      if (isPart) found.push(...items.filter((item) => item.ref.startsWith(text) || idOf(item).startsWith(text)));
    }
  }
  return exact.length > 0 ? exact : found;
}
