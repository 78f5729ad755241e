import { isAtWork, type ScoutRow } from "../../shared/scouts/scout-row.ts";
import type { SimulatedMailbox } from "./mailbox.ts";
import type { World } from "./world.ts";

/** A watch that could not be set up is asked for again after this long, and a poll later. */
const watchRetryMs = 2 * 3_600_000;
/** Scouts are polled every quarter of an hour; their functions' clocks and the ticks are not exact. */
const pollMs = 20 * 60_000;

/** Rows of the scouts that look at a mailbox. */
function atWorkOn(world: World, mailbox: SimulatedMailbox): ScoutRow[] {
  const rows = world.scouts.filter((scout) => scout.mailbox === mailbox).map((scout) => world.rowOf(scout));
  return rows.filter((row) => row !== undefined).filter(isAtWork);
}

/** Mailboxes that still tell of news though nobody looks at them; where a grant is withdrawn, nobody can stop that. */
export function strayWatches(world: World): string[] {
  return world.mailboxes
    .filter((mailbox) => mailbox.isWatched(world.sim.nowMs) && mailbox.withdrawn.size === 0)
    .filter((mailbox) => atWorkOn(world, mailbox).length === 0)
    .map(({ address }) => address);
}

/** What must hold of mailboxes and those who look at them when the system has come to rest. */
export function checkWatches(world: World, violate: (rule: string, detail: string) => void): void {
  const { nowMs } = world.sim;
  for (const stray of strayWatches(world)) violate("a mailbox without scouts at work has no watch", stray);
  for (const mailbox of world.mailboxes) {
    for (const row of atWorkOn(world, mailbox)) {
      const { scoutId, watchExpiresAt = 0, watchFailedAt = 0, dueAt = Number.POSITIVE_INFINITY } = row;
      if (dueAt > nowMs + pollMs) violate("a scout at work is polled", scoutId);
      if (!mailbox.hasWatch || mailbox.isWatched(nowMs)) continue;
      if (watchExpiresAt > nowMs) violate("a scout knows whether it is told of news", scoutId);
      else if (nowMs - watchFailedAt > watchRetryMs) violate("a mailbox with a scout at work has a watch", scoutId);
    }
  }
}
