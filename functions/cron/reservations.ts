import { systemClock } from "../../shared/ports/clock.ts";
import { settleReservations } from "../../shared/scouts/settle-reservations.ts";
import { ledger } from "../compose/tables.ts";
import { scheduled } from "./scheduled.ts";

export const handler = scheduled("reservations", async () => ({
  ended: await settleReservations({ ledger: ledger(), clock: systemClock }),
}));
