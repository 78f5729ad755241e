import * as z from "zod";
import { untilIdle } from "../../cli/up/drain.ts";
import type { LocalSystem } from "../../cli/up/system.ts";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { generatedMail, take } from "../bench/pipeline/generated-mail.ts";
import { measureBurst } from "../bench/pipeline/measure.ts";
import { type Requests, requestsOf, since } from "../bench/pipeline/requests.ts";
import { onWarmSystem } from "../bench/pipeline/warm-system.ts";
import type { WebhookTap } from "../bench/pipeline/webhook-tap.ts";
import type { Figures } from "./figures.ts";

const emptySyncs = 5;
const isAws = (operation: string) => !/^(gmail|model):/.test(operation);

/** What AWS would bill, an item. */
export function perItem(requests: Requests, items: number): Requests {
  const aws = Object.entries(requests).filter(([operation]) => isAws(operation));
  return Object.fromEntries(aws.map(([operation, count]) => [operation, Number((count / items).toFixed(4))]));
}

/** Delivers one mail at a time into the idle system, which is left to itself meanwhile. */
async function countSingles(system: LocalSystem, tap: WebhookTap, mail: readonly Uint8Array[]): Promise<Requests> {
  const { signal } = new AbortController();
  await untilIdle(system, signal);
  const before = requestsOf(system);
  for (const raw of mail) {
    const announced = tap.nextPush();
    system.world.mailbox.deliver(raw);
    await announced;
    await untilIdle(system, signal);
  }
  return since(before, requestsOf(system));
}

/** Asks for syncs of a mailbox in which nothing has changed. */
async function countEmptySyncs(system: LocalSystem, count: number): Promise<Requests> {
  const { signal } = new AbortController();
  await untilIdle(system, signal);
  const before = requestsOf(system);
  for (let done = 0; done < count; done += 1) {
    await askCloud(system.api, "POST", `/api/v1/scouts/${system.scoutId}/run`, z.unknown());
    await untilIdle(system, signal);
  }
  return since(before, requestsOf(system));
}

/** Counts the requests of a burst of `messages` generated mails, and of `singles` wanted ones that come one by one. */
export function measureGmail(
  messages: number,
  singles: number,
  seed: number,
): Promise<Omit<Figures, "imap" | "strangers">> {
  return onWarmSystem(seed, async (system, tap, mail) => {
    const burst = await measureBurst(system, tap, take(mail, messages));
    const alone = await countSingles(system, tap, take(generatedMail(seed + 1, true), singles));
    const empty = await countEmptySyncs(system, emptySyncs);
    return {
      relevantShare: burst.relevant / burst.items,
      burst: perItem(burst.requests, burst.items),
      alone: perItem(alone, singles),
      emptySync: perItem(empty, emptySyncs),
    };
  });
}
