import { sweepSessions } from "../../shared/devices/sweep.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { sessions } from "../compose/tables.ts";
import { scheduled } from "./scheduled.ts";

export const handler = scheduled("sweep", async () => ({ deleted: await sweepSessions(sessions(), systemClock()) }));
