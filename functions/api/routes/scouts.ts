import { ScoutsError } from "../../../events/errors.ts";
import { scoutHealth } from "../../../events/health.ts";
import { pageQuery } from "../../../events/http/page.ts";
import {
  changeScoutRequest,
  createdScoutResponse,
  createScoutRequest,
  deletionResponse,
  muteRequest,
  muteResponse,
  reconnectRequest,
  runListResponse,
  runResponse,
  scoutListResponse,
  scoutResponse,
  seesResponse,
} from "../../../events/http/scouts.ts";
import { type ScoutId, scoutId } from "../../../events/ids.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { readPageCursor, writePageCursor } from "../../../shared/requests/page-cursor.ts";
import { describeScout, listScouts } from "../../../shared/scouts/describe-scout.ts";
import { changeScout } from "../../../shared/scouts/lifecycle/change-scout.ts";
import { createScout, createScoutOnce } from "../../../shared/scouts/lifecycle/create-scout.ts";
import { deleteScout } from "../../../shared/scouts/lifecycle/delete-scout.ts";
import { scoutHealth as readHealth } from "../../../shared/scouts/lifecycle/health.ts";
import { muteSender } from "../../../shared/scouts/lifecycle/mute-sender.ts";
import { reconnectScout, whatItSees } from "../../../shared/scouts/lifecycle/reconnect-scout.ts";
import type { ScoutRow } from "../../../shared/scouts/scout-row.ts";
import { listRuns } from "../../../shared/scouts/sync/list-runs.ts";
import { syncHint } from "../../../shared/scouts/sync/sync-hint.ts";
import { route } from "../define-route.ts";
import type { ApiPorts } from "../ports.ts";
import type { Call, Route } from "../route.ts";
import { notAtWork, reaching } from "../source-codes.ts";

const scoutsPath = "/api/v1/scouts";
const scoutPath = `${scoutsPath}/{id}`;
/** Of the function's 20 seconds, what may go into removing rows. */
const deletionMs = 12_000;

/** @throws scout_not_found also when the text is no scout's id at all */
export async function scoutOf({ ports, user, param }: Call<ApiPorts, unknown, unknown>): Promise<ScoutRow> {
  return ports.scouts.get(user, idOf(param("id")));
}

/** A scout's id from an address. What is no id of any scout is answered as one that is not there. @throws scout_not_found */
export function idOf(text: string): ScoutId {
  const parsed = scoutId.safeParse(text);
  if (!parsed.success) throw new ScoutsError("scout_not_found");
  return parsed.data;
}

export const scoutRoutes: readonly Route<ApiPorts>[] = [
  route(
    {
      method: "GET",
      path: scoutsPath,
      operationId: "listScouts",
      summary: "Your scouts, oldest first",
      tag: "Scouts",
      query: pageQuery,
      answers: [{ status: 200, description: "A page of them.", schema: scoutListResponse }],
      errors: [],
    },
    async ({ ports, user, query }, c) => {
      const after = readPageCursor("scouts", query.cursor);
      const { scouts, last } = await listScouts(ports, user, { after, limit: query.limit });
      return c.json({ scouts, nextCursor: writePageCursor("scouts", last) });
    },
  ),
  route(
    {
      method: "POST",
      path: scoutsPath,
      operationId: "createScout",
      summary:
        "Make a scout; one whose source takes settings is connected by this, one that takes a consent has yet to be",
      tag: "Scouts",
      body: createScoutRequest,
      takesIdempotencyKey: true,
      answers: [
        { status: 201, description: "It is made, now or by the same request before.", schema: createdScoutResponse },
      ],
      errors: ["source_unknown", "idempotency_conflict", "conflict", "scout_not_found", ...reaching],
    },
    async ({ ports, user, body, idempotencyKey: key }, c) =>
      c.json(await (key === undefined ? createScout(ports, user, body) : createScoutOnce(ports, user, key, body)), 201),
  ),
  route(
    {
      method: "GET",
      path: scoutPath,
      operationId: "getScout",
      summary: "One scout",
      tag: "Scouts",
      answers: [{ status: 200, description: "The scout.", schema: scoutResponse }],
      errors: ["scout_not_found"],
    },
    async (call, c) => c.json(await describeScout(call.ports, await scoutOf(call))),
  ),
  route(
    {
      method: "GET",
      path: `${scoutPath}/health`,
      operationId: "getScoutHealth",
      summary: "Whether a scout does its work, and if not, why",
      tag: "Scouts",
      answers: [{ status: 200, description: "Runs, watch, backlog, gap, tokens, quota.", schema: scoutHealth }],
      errors: ["scout_not_found"],
    },
    async (call, c) => c.json(await readHealth(call.ports, await scoutOf(call))),
  ),
  route(
    {
      method: "PATCH",
      path: scoutPath,
      operationId: "changeScout",
      summary: "Change a scout: name, purpose, schedule, auto-trash, pause",
      tag: "Scouts",
      body: changeScoutRequest,
      answers: [{ status: 200, description: "The scout as it is now.", schema: scoutResponse }],
      errors: [
        "scout_not_found",
        "scout_deleting",
        "source_not_connected",
        "consent_incomplete",
        "source_lacks_move",
        "source_lacks_trash",
        "conflict",
      ],
    },
    async (call, c) => c.json(await changeScout(call.ports, await scoutOf(call), call.body)),
  ),
  route(
    {
      method: "DELETE",
      path: scoutPath,
      operationId: "deleteScout",
      summary: "Delete a scout: stop its watch, give its access back, remove its rows",
      tag: "Scouts",
      answers: [
        { status: 204, description: "It is gone, now or already." },
        { status: 202, description: "There is more to remove: ask again.", schema: deletionResponse },
      ],
      errors: ["source_unavailable", "source_rate_limited", "conflict"],
    },
    async ({ ports, user, param }, c) => {
      const gone = await deleteScout(ports, user, idOf(param("id")), ports.clock() + deletionMs);
      return gone ? c.body(null, 204) : c.json({ deleted: false }, 202);
    },
  ),
  route(
    {
      method: "GET",
      path: `${scoutPath}/sees`,
      operationId: "getScoutSees",
      summary: "What a scout sees at its source, read there for this answer",
      tag: "Scouts",
      answers: [{ status: 200, description: "Place, counts, how it hears of news.", schema: seesResponse }],
      errors: ["scout_not_found", "source_not_connected", "reauth", "source_unknown", ...reaching],
    },
    async (call, c) => c.json({ sees: await whatItSees(call.ports, await scoutOf(call)) }),
  ),
  route(
    {
      method: "POST",
      path: `${scoutPath}/reconnect`,
      operationId: "reconnectScout",
      summary: "Reach a scout's source again, with the settings it has and those given; not where a consent is needed",
      tag: "Scouts",
      body: reconnectRequest,
      answers: [
        { status: 200, description: "It is connected and goes on where it had stopped.", schema: seesResponse },
      ],
      errors: [
        "scout_not_found",
        "scout_deleting",
        "source_not_connected",
        "source_account_other",
        "conflict",
        ...reaching,
      ],
    },
    async (call, c) => c.json({ sees: await reconnectScout(call.ports, await scoutOf(call), call.body.settings) }),
  ),
  route(
    {
      method: "GET",
      path: `${scoutPath}/runs`,
      operationId: "listScoutRuns",
      summary: "What a scout's runs have listed, newest first",
      tag: "Scouts",
      query: pageQuery,
      answers: [{ status: 200, description: "A page of them.", schema: runListResponse }],
      errors: ["scout_not_found"],
    },
    async (call, c) => {
      const { cursor, limit } = call.query;
      const page = { after: readPageCursor("runs", cursor), limit };
      const { runs, last } = await listRuns(call.ports, await scoutOf(call), page);
      return c.json({ runs, nextCursor: writePageCursor("runs", last) });
    },
  ),
  route(
    {
      method: "POST",
      path: `${scoutPath}/mute`,
      operationId: "muteSender",
      summary: "Dismiss what comes from a sender from now on, or judge it again",
      tag: "Scouts",
      body: muteRequest,
      answers: [{ status: 200, description: "It is so now, or was before.", schema: muteResponse }],
      errors: ["scout_not_found", "scout_deleting", "conflict"],
    },
    async (call, c) => {
      const { address, muted } = call.body;
      const mutedSenders = await muteSender(call.ports, await scoutOf(call), new Transient(address), muted);
      return c.json({ mutedSenders });
    },
  ),
  route(
    {
      method: "POST",
      path: `${scoutPath}/run`,
      operationId: "runScout",
      summary: "Look at the source now",
      tag: "Scouts",
      answers: [{ status: 202, description: "It will be looked at in a moment.", schema: runResponse }],
      errors: ["scout_not_found", "scout_paused", ...notAtWork, "queue_unavailable"],
    },
    async (call, c) => {
      const row = await scoutOf(call);
      refuseIdle(row);
      await call.ports.sync.send([syncHint(row, "manual", call.ports.newId())]);
      return c.json({ queued: true }, 202);
    },
  ),
];

/** A scout that would not look is not asked to: its owner hears why. */
function refuseIdle(row: ScoutRow): void {
  const { scoutId: scout } = row;
  if (row.disabledCode) throw new ScoutsError(row.disabledCode, { data: { scoutId: scout } });
  if (row.paused) throw new ScoutsError("scout_paused", { data: { scoutId: scout } });
  if (row.cursor === undefined) throw new ScoutsError("source_not_connected", { data: { scoutId: scout } });
}
