import { ulid } from "ulidx";
import { ScoutsError } from "../../events/errors.ts";
import { createScoutRequest } from "../../events/http.ts";
import { type ScoutId, scoutId } from "../../events/ids.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { createScout, describeScout, type ScoutAdminPorts } from "../../shared/scouts/create-scout.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { connectors } from "../compose/connectors.ts";
import { vaultSealer } from "../compose/keys.ts";
import { syncQueue } from "../compose/queues.ts";
import { ledger } from "../compose/tables.ts";
import { once } from "../once.ts";
import { bodyOf, newApp, personOf } from "./app.ts";

const ports = once(
  (): ScoutAdminPorts => ({
    scouts: new ScoutStore(ledger()),
    vault: vaultSealer,
    connectors: connectors(),
    clock: systemClock,
  }),
);

export const scouts = newApp()
  .get("/", async (c) => {
    const rows = await ports().scouts.list(personOf(c.env.event));
    return c.json({ scouts: await Promise.all(rows.map((row) => describeScout(ports(), row))) });
  })
  .post("/", async (c) => {
    const request = bodyOf(createScoutRequest, await c.req.json().catch(() => undefined));
    return c.json(await createScout(ports(), personOf(c.env.event), request), 201);
  })
  .post("/:id/run", async (c) => {
    const { userId, scoutId: scout } = await ports().scouts.get(personOf(c.env.event), scoutOf(c.req.param("id")));
    await syncQueue().send([
      { body: { v: 1, userId, scoutId: scout, cause: "manual" }, group: scout, dedupeId: ulid() },
    ]);
    return c.json({ queued: true }, 202);
  })
  .get("/:id", async (c) => {
    const row = await ports().scouts.get(personOf(c.env.event), scoutOf(c.req.param("id")));
    return c.json(await describeScout(ports(), row));
  });

/** @throws scout_not_found when the text is no scout's id at all */
export function scoutOf(text: string): ScoutId {
  const parsed = scoutId.safeParse(text);
  if (!parsed.success) throw new ScoutsError("scout_not_found");
  return parsed.data;
}
