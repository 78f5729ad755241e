import { setTimeout } from "node:timers/promises";
import { drain } from "../../../cli/up/drain.ts";
import type { LocalSystem } from "../../../cli/up/system.ts";
import { take } from "../pipeline/generated-mail.ts";
import type { MemoryWatch, Sample } from "./memory.ts";

const everyMs = 1000;
/** So many waiting messages hold the flow back: a soak is of a system that keeps up. */
const mostWaiting = 200;

export interface Soak {
  readonly samples: readonly Sample[];
  readonly items: number;
  readonly ms: number;
  /** Seconds in which the flow was held back. */
  readonly heldBack: number;
}

/** Delivers mail at a steady rate, taking a sample of the memory every second; ends when all of it is judged. */
export async function soak(
  system: LocalSystem,
  mail: Generator<Uint8Array, never>,
  memory: MemoryWatch,
  flow: { readonly minutes: number; readonly mailsPerSecond: number },
): Promise<Soak> {
  const startMs = performance.now();
  const samples: Sample[] = [];
  let items = 0;
  let heldBack = 0;
  while (performance.now() - startMs < flow.minutes * 60_000) {
    if (waiting(system) > mostWaiting) heldBack += 1;
    else {
      for (const raw of take(mail, flow.mailsPerSecond)) system.world.mailbox.deliver(raw);
      items += flow.mailsPerSecond;
    }
    await setTimeout(everyMs);
    samples.push(await memory.sample(items));
  }
  await drain(system, new AbortController().signal);
  return { samples, items, ms: performance.now() - startMs, heldBack };
}

function waiting({ home }: LocalSystem): number {
  return home.depths()["Triage"]?.visible ?? 0;
}
