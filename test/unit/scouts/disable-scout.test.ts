import { expect, test } from "vitest";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { disableScout } from "../../../shared/scouts/lifecycle/disable-scout.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { noLog } from "../../memory/log.ts";
import { ada, inbox, newLedger, nowMs } from "./setting.ts";

const codes: ErrorCode[] = [
  "reauth",
  "consent_incomplete",
  "source_forbidden",
  "source_gone",
  "source_wants_password",
  "source_not_connected",
];

test.each(codes)("a scout that is switched off (%s) is told of at once, and once", async (code) => {
  const scouts = new ScoutStore(newLedger());
  const told: ServerFrame[] = [];
  const notices = { toEveryDevice: async (_: unknown, frames: readonly ServerFrame[]) => void told.push(...frames) };
  const of = { userId: ada, scoutId: inbox };
  await scouts.create({ ...of, sourceType: "feed", sealed: "sealed", createdAt: nowMs, revision: 0 });
  const off = () => disableScout({ scouts, notices, clock: () => nowMs, log: noLog }, of, code);
  await off();
  await off();
  expect(told).toEqual([{ type: "scout_reauth_required", scoutId: inbox, code, since: nowMs }]);
});
