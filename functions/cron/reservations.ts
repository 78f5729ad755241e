import { runResults } from "../../shared/agents/run/run-results.ts";
import { summaryResults } from "../../shared/folders/summarize/summary-results.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { settleReservations } from "../../shared/scouts/triage/settle-reservations.ts";
import { verdictResults } from "../../shared/scouts/triage/verdict-results.ts";
import { trialResults } from "../../shared/scouts/trial/trial-results.ts";
import { ledger, sessions } from "../compose/tables.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { scheduled } from "./scheduled.ts";

export const handler = scheduled("reservations", async () => {
  const books = [
    verdictResults(ledger()),
    trialResults(sessions()),
    summaryResults(sessions()),
    ...runResults(sessions()),
  ];
  return { ended: await settleReservations({ ledger: ledger(), clock: systemClock, newId, log }, books) };
});
