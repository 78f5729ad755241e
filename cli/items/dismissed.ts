import { askCloud, type CloudApi } from "../../device/connect/cloud-api.ts";
import { pathOf } from "../../device/sources/scout-named.ts";
import { type ScoutResponse, type SpamListResponse, spamListResponse } from "../../events/http.ts";

/** Items a page holds. With their sources read, a page is one request to a source that reads in batches. */
const pageSize = 50;
/** The same where only the cloud's own rows are read. */
const barePageSize = 100;
/** How many of a scout's dismissed items are looked through for one that is named in part. */
const mostSearched = 5_000;

export type Dismissed = SpamListResponse["items"][number] & { readonly scout: Pick<ScoutResponse, "id" | "name"> };

/** What a scout has dismissed, newest first, a page at a time. @param read asks sender and subject of the source too */
export async function* dismissedBy(
  api: CloudApi,
  { id, name }: Pick<ScoutResponse, "id" | "name">,
  limit: number,
  read: boolean,
): AsyncGenerator<readonly Dismissed[]> {
  let cursor: string | null = "";
  for (let left = limit; cursor !== null && left > 0; ) {
    const size = Math.min(read ? pageSize : barePageSize, left);
    const query = new URLSearchParams({ limit: String(size), source: read ? "read" : "skip" });
    if (cursor !== "") query.set("cursor", cursor);
    const page: SpamListResponse = await askCloud(api, "GET", `${pathOf(id)}/spam?${query}`, spamListResponse);
    yield page.items.map((item) => ({ ...item, scout: { id, name } }));
    left -= page.items.length;
    cursor = page.nextCursor;
  }
}

/** Dismissed items whose ref begins with a text, or is it: then it alone. */
export async function findDismissed(
  api: CloudApi,
  scouts: readonly ScoutResponse[],
  text: string,
): Promise<readonly Dismissed[]> {
  const found: Dismissed[] = [];
  for (const scout of scouts) {
    for await (const items of dismissedBy(api, scout, mostSearched, false)) {
      const exact = items.find(({ ref }) => ref === text || `${scout.id}.${ref}` === text);
      if (exact !== undefined) return [exact];
      found.push(...items.filter(({ ref }) => ref.startsWith(text) || `${scout.id}.${ref}`.startsWith(text)));
    }
  }
  return found;
}
