import { RunFrameHandler } from "../../shared/agents/run/run-frame-handler.ts";
import { RunStore } from "../../shared/agents/run/run-store.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { FrameLimit, frameRate } from "../../shared/devices/frame-limit.ts";
import { answerFrame } from "../../shared/devices/frames/answer.ts";
import type { DevicePorts } from "../../shared/devices/frames/device-ports.ts";
import { IndexFrameHandler } from "../../shared/folders/index/index-frame-handler.ts";
import { IndexStore } from "../../shared/folders/index/index-store.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { RateLimit } from "../../shared/requests/rate-limit.ts";
import { CategorizeLeases } from "../../shared/scouts/items/categorize-leases.ts";
import { RoundStore } from "../../shared/scouts/items/round-store.ts";
import { scoutHealth } from "../../shared/scouts/lifecycle/health.ts";
import type { ScoutRow } from "../../shared/scouts/scout-row.ts";
import { connectors } from "../compose/connectors.ts";
import { delivery, deliveryPorts } from "../compose/delivery.ts";
import { agentQueue, summarizeQueue } from "../compose/queues.ts";
import { sessionStore } from "../compose/sessions.ts";
import { ledger, sessions } from "../compose/tables.ts";
import { syncQueues } from "../compose/work/source-queues.ts";
import { setting } from "../environment.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { once } from "../once.ts";
import { connectionOf } from "./connection.ts";

const folders = once(() => {
  const { connections, sockets, clock } = deliveryPorts();
  return new IndexFrameHandler({
    index: new IndexStore(sessions()),
    ledger: ledger(),
    accounts: new AccountStore(ledger()),
    summarize: summarizeQueue(),
    post: { table: sessions(), connections, sockets, clock },
  });
});

const runs = once(
  () =>
    new RunFrameHandler({
      ledger: ledger(),
      runs: new RunStore(sessions()),
      agent: agentQueue(),
      leases: new CategorizeLeases(ledger()),
      isCategorizing: setting("CATEGORIZE") === "on",
      clock: systemClock,
    }),
);

const devicePorts = once((): DevicePorts => {
  const accounts = new AccountStore(ledger());
  const reads = { ledger: ledger(), connectors: connectors(), clock: systemClock };
  const health = (row: ScoutRow) => scoutHealth(reads, row);
  const limit = new FrameLimit(new RateLimit(sessions(), systemClock, frameRate), Math.random);
  return {
    ...deliveryPorts(),
    delivery: delivery(),
    sessions: sessionStore(),
    accounts,
    limit,
    rounds: new RoundStore(ledger()),
    leases: new CategorizeLeases(ledger()),
    health,
    sync: syncQueues(),
    folders: folders(),
    runs: runs(),
    newId,
  };
});

/** Every frame a device sends. The device is always answered by a frame; API Gateway only hears that we took it. */
export async function handler(event: unknown): Promise<{ statusCode: number }> {
  try {
    const { text, ...from } = connectionOf(event);
    await answerFrame(devicePorts(), from, text);
    return { statusCode: 200 };
  } catch (error) {
    log.error("frame_failed", error);
    return { statusCode: 500 };
  }
}
