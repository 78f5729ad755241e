import { ScoutsError } from "../../../events/errors.ts";
import { spamListResponse, spamQuery } from "../../../events/http/items.ts";
import { itemRef } from "../../../events/ids.ts";
import { readPageCursor, writePageCursor } from "../../../shared/requests/page-cursor.ts";
import { listSpam, restoreSpam } from "../../../shared/scouts/items/spam.ts";
import { route } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Route } from "../route.ts";
import { scoutOf } from "./scouts.ts";

const spamPath = "/api/v1/scouts/{id}/spam";

export const spamRoutes: readonly Route<ApiPorts>[] = [
  route(
    {
      method: "GET",
      path: spamPath,
      operationId: "listSpam",
      summary: "What a scout has dismissed, newest first, and what it moved to Trash",
      tag: "Spam",
      query: spamQuery,
      answers: [
        {
          status: 200,
          description: "A page: ids, codes and times; with `source=read`, sender and subject read at the source.",
          schema: spamListResponse,
        },
      ],
      errors: ["scout_not_found"],
    },
    async (call, c) => {
      const { cursor, limit, source } = call.query;
      const page = { after: readPageCursor("spam", cursor), limit, read: source === "read" };
      const { items, last } = await listSpam(call.ports, await scoutOf(call), page);
      return c.json({ items, nextCursor: writePageCursor("spam", last) });
    },
  ),
  route(
    {
      method: "POST",
      path: `${spamPath}/{ref}/restore`,
      operationId: "restoreSpam",
      summary: "Take an item back: out of Trash, and its verdict turned to relevant",
      tag: "Spam",
      answers: [{ status: 204, description: "It is a proposal now, or was restored before." }],
      errors: [
        "scout_not_found",
        "proposal_not_found",
        "item_gone",
        "consent_incomplete",
        "reauth",
        "source_forbidden",
        "source_not_connected",
        "source_rate_limited",
        "source_unavailable",
        "conflict",
      ],
    },
    async (call, c) => {
      const ref = itemRef.safeParse(call.param("ref"));
      if (!ref.success) throw new ScoutsError("proposal_not_found");
      await restoreSpam(call.ports, await scoutOf(call), ref.data);
      return c.body(null, 204);
    },
  ),
];
