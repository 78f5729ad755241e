import { ScoutsError } from "../../../events/errors.ts";
import { itemListResponse, itemsQuery, redriveRequest, redriveResponse } from "../../../events/http/items.ts";
import type { ScoutId } from "../../../events/ids.ts";
import { readPageCursor, writePageCursor } from "../../../shared/requests/page-cursor.ts";
import {
  type ItemsAfter,
  isPlace,
  listItems,
  redriveAll,
  redriveRefs,
} from "../../../shared/scouts/items/without-verdict.ts";
import { route } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Call, Route } from "../route.ts";

const itemsPath = "/api/v1/items";

/** @throws scout_not_found, invalid_request when the cursor is none of this list and scout */
async function placeOf(
  { ports, user }: Call<ApiPorts, unknown, unknown>,
  scoutId: ScoutId | undefined,
  cursor: string | undefined,
): Promise<ItemsAfter> {
  if (scoutId !== undefined) await ports.scouts.get(user, scoutId);
  const after = readPageCursor("items", cursor);
  if (after !== undefined && !isPlace({ scoutId }, after)) {
    throw new ScoutsError("invalid_request", { data: { where: "cursor" } });
  }
  return { userId: user, scoutId, after };
}

export const itemRoutes: readonly Route<ApiPorts>[] = [
  route(
    {
      method: "GET",
      path: itemsPath,
      operationId: "listItems",
      summary: "Items without a verdict: waiting, set aside, or shown as they are",
      tag: "Items",
      query: itemsQuery,
      answers: [{ status: 200, description: "A page: ids, codes and times.", schema: itemListResponse }],
      errors: ["scout_not_found"],
    },
    async (call, c) => {
      const { scout, cursor, status, limit } = call.query;
      const { items, last } = await listItems(call.ports, await placeOf(call, scout, cursor), { status, limit });
      return c.json({ items, nextCursor: writePageCursor("items", last) });
    },
  ),
  route(
    {
      method: "POST",
      path: `${itemsPath}/redrive`,
      operationId: "redriveItems",
      summary: "Have items judged anew that were set aside or shown without a verdict",
      tag: "Items",
      body: redriveRequest,
      answers: [{ status: 200, description: "How many are, within a minute.", schema: redriveResponse }],
      errors: ["scout_not_found"],
    },
    async (call, c) => {
      const { ports, user, body } = call;
      const within = await placeOf(call, body.scoutId, body.cursor);
      if (body.refs === undefined) {
        const { last, ...counts } = await redriveAll(ports, within, body.code);
        return c.json({ ...counts, nextCursor: writePageCursor("items", last) });
      }
      const scouts = body.scoutId ? [body.scoutId] : await ports.scouts.ids(user);
      return c.json({ ...(await redriveRefs(ports, user, scouts, body.refs)), nextCursor: null });
    },
  ),
];
