import { sweepSessions } from "../../shared/devices/sweep.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { transit } from "../compose/objects.ts";
import { sessions } from "../compose/tables.ts";
import { scheduled } from "./scheduled.ts";

export const handler = scheduled("sweep", () =>
  sweepSessions({ sessions: sessions(), objects: transit() }, systemClock()),
);
