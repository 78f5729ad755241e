import { systemClock } from "../../shared/ports/clock.ts";
import { SourceQuota } from "../../shared/scouts/quota/source-quota.ts";
import { once } from "../once.ts";
import { ledger } from "./tables.ts";

/** Kept for the environment's life: it remembers which of two writes to try first. */
export const sourceQuota = once(() => new SourceQuota(ledger(), systemClock, Math.random));
