import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { systemClock } from "../../../shared/ports/clock.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { SpamStore } from "../../../shared/scouts/items/spam-store.ts";
import { UnjudgedStore } from "../../../shared/scouts/items/unjudged-store.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import type { TriagePorts } from "../../../shared/scouts/triage/triage.ts";
import { newId } from "../../ids.ts";
import { log } from "../../log.ts";
import { vaultSealer } from "../keys.ts";
import { breaker } from "../model/breaker.ts";
import { model } from "../model/model.ts";
import { sourceQuota } from "../quota.ts";
import { ledger } from "../tables.ts";
import { firstJudge } from "./first-judge.ts";

/** What judging items stands on, beside the sources it can read and the queue that what has to wait goes to. */
export const triagePorts = (): Omit<TriagePorts, "connectors" | "notices" | "triage"> => ({
  items: new ItemStore(ledger()),
  spam: new SpamStore(ledger()),
  scouts: new ScoutStore(ledger()),
  unjudged: new UnjudgedStore(ledger()),
  model: model(),
  ...firstJudge(),
  breaker: breaker(),
  vault: vaultSealer,
  quota: sourceQuota(),
  budget: new TokenBudget(ledger(), "triage", systemClock, newId),
  clock: systemClock,
  log,
});
