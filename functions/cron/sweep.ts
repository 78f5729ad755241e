import { endAbandonedRun } from "../../shared/agents/run/sweep-run.ts";
import { sweepSessions } from "../../shared/devices/sweep.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import type { Key } from "../../shared/ports/table.ts";
import { transit } from "../compose/objects.ts";
import { ledger, sessions } from "../compose/tables.ts";
import { log } from "../log.ts";
import { scheduled } from "./scheduled.ts";

export const handler = scheduled("sweep", () => {
  const endRun = (key: Key, nowMs: number) => endAbandonedRun(sessions(), ledger(), key, nowMs);
  return sweepSessions({ sessions: sessions(), objects: transit(), log, endRun }, systemClock());
});
