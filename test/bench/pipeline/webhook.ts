import type { LocalSystem } from "../../../cli/up/system.ts";
import type { WebhookTap } from "./webhook-tap.ts";

/** The owner of the local mailbox (infra/local/world/world.ts): pushes for anybody else are acknowledged without work. */
const emailAddress = "you@example.com";

export interface WebhookLatencies {
  readonly idleMs: readonly number[];
  readonly burstMs: readonly number[];
}

/**
 * Signed pushes as Pub/Sub delivers them, first one after the other into the idle system, then as many at once. From the
 * request to its 2xx: the token checked, the mailbox looked up, the sync queued.
 */
export async function measureWebhook({ home, world }: LocalSystem, tap: WebhookTap, pushes: number) {
  const publish = () => world.push.publish({ emailAddress, historyId: "1" });
  const before = tap.acknowledgedMs().length;
  for (let count = 0; count < pushes; count += 1) {
    publish();
    await world.push.whenIdle();
    await home.whenIdle();
  }
  const between = tap.acknowledgedMs().length;
  for (let count = 0; count < pushes; count += 1) publish();
  await world.push.whenIdle();
  await home.whenIdle();
  const all = tap.acknowledgedMs();
  return { idleMs: all.slice(before, between), burstMs: all.slice(between) } satisfies WebhookLatencies;
}
