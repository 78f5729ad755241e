import { checkAtRest, unsettled } from "./invariants.ts";
import type { Nature, SimulatedMailbox } from "./mailbox.ts";
import { inInbox } from "./mailbox.ts";
import { SimulatedFeed } from "./sources/feed.ts";
import { SimulatedFiles } from "./sources/files.ts";
import { SimulatedImap } from "./sources/imap.ts";
import { checkWatches, strayWatches } from "./watch-invariants.ts";
import type { ScoutInWorld, SourceKind, World } from "./world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** As Gmail says it of a topic (Gmail API, "Push notifications", and recorded). */
const watchRefusals = [
  {
    status: 403,
    reason: "forbidden",
    sentence: "Error sending test message to Cloud PubSub topic : User not authorized to perform this action.",
  },
  {
    status: 404,
    reason: "notFound",
    sentence: "Error sending test message to Cloud PubSub topic : Resource not found",
  },
  { status: 400, reason: "invalidArgument", sentence: "Invalid topicName does not match projects/p/topics/*" },
];
/** Rounds of a quiet day each in which everything must come to its end. */
const maxRounds = 5;

/**
 * People, their mailboxes and devices; some share a mailbox, some have two.
 *
 * @param source a kind that is certainly among them
 */
export async function populate(world: World, source?: SourceKind): Promise<void> {
  const { random } = world.sim;
  const users = ["ada", "bob", "eve"].slice(0, random.int(1, 3)).map((name) => world.addUser(name));
  const shared = random.chance(0.5) ? world.addMailbox() : undefined;
  const otherKind = source ?? random.pick<SourceKind>(["imap", "imap", "feed", "mailbox"]);
  const other = source || random.chance(0.6) ? world.addMailbox(otherKind) : undefined;
  for (const user of users) {
    for (let count = random.int(1, 2); count > 0; count -= 1) await world.addScout(user, world.addMailbox());
    if (shared) await world.addScout(user, shared);
    // Files are read by whoever has them; what is on the network by several.
    if (other && (user === users[0] || (other.sourceType !== "mailbox" && random.chance(0.2))))
      await world.addScout(user, other);
    for (let count = random.int(1, 3); count > 0; count -= 1) world.addDevice(user);
  }
}

/** An hour or two in which mail arrives, people act and everything goes wrong that the run has in store. */
export async function live(world: World): Promise<void> {
  const { sim } = world;
  const { random } = sim;
  const durationMs = random.int(40, 100) * minuteMs;
  crons(world, durationMs, minuteMs);
  for (const mailbox of world.mailboxes) arrivals(world, mailbox, random.int(2, 14), durationMs);
  for (const mailbox of world.mailboxes) mishaps(world, mailbox, durationMs);
  for (const scout of world.scouts) ownerChanges(world, scout, durationMs);
  world.provider.outages.plan(durationMs);
  for (const device of world.devices) {
    sim.after(random.int(0, durationMs / 2), "device starts", () => device.start());
    if (sim.faults.strikes("device_crash")) {
      const atMs = random.int(0, durationMs);
      sim.after(atMs, "device crashes", () => device.crash());
      sim.after(atMs + random.int(minuteMs, durationMs / 2), "device starts again", () => device.start());
    }
    for (let count = random.int(0, 3); count > 0; count -= 1) {
      sim.after(random.int(durationMs / 2, durationMs), "person decides", () => device.decideOne());
    }
  }
  await sim.runFor(durationMs);
  world.provider.outages.end();
}

/** One device goes away for a week in which mail arrives; the others sleep. Nothing goes wrong in it any more. */
export async function week(world: World): Promise<void> {
  const { sim } = world;
  const { random } = sim;
  for (const device of world.devices) random.chance(0.5) ? device.crash() : void device.stop();
  crons(world, 7 * dayMs, 6 * hourMs);
  for (const mailbox of world.mailboxes) arrivals(world, mailbox, random.int(0, 3), 7 * dayMs);
  await sim.runFor(7 * dayMs);
}

/**
 * The faults are over. People mend what is theirs to mend, operators redrive what is theirs; within a few quiet days
 * everything has come to its end.
 */
export async function comeToRest(world: World): Promise<void> {
  const { sim } = world;
  const redrives = sim.random.chance(0.5);
  await settleWatches(world);
  for (const scout of world.scouts) if (world.rowOf(scout)?.paused) world.pause(scout, false);
  for (let round = 1; round <= maxRounds && sim.violations.length === 0; round += 1) {
    for (const { userId, scoutId, mailbox } of world.scouts) {
      if (mailbox.withdrawn.has(scoutId) || (await isDisabled(world, userId, scoutId))) {
        await world.connect(userId, scoutId);
      }
    }
    for (const scout of world.scouts) if (scout.deleted && world.rowOf(scout)) world.delete(scout);
    for (const queue of Object.values(world.queues)) queue.redrive();
    if (redrives) await world.redriveItems();
    for (const consumer of Object.values(world.consumers)) consumer.wake();
    // One after the other: two processes that sign at once end in an order that is not the seed's.
    for (const device of world.devices) sim.after(sim.random.int(0, 10_000), "device starts", () => device.start());
    crons(world, 40 * minuteMs, 4 * minuteMs);
    await sim.runFor(45 * minuteMs);
    if (unsettled(world).length === 0 && (round > 1 || !redrives)) break;
    for (const device of world.devices) void device.stop();
    crons(world, dayMs, 4 * hourMs);
    await sim.runFor(dayMs);
  }
  if (sim.violations.length === 0) checkAtRest(world);
}

/**
 * As people have left it, paused scouts and all: mailboxes that nobody looks at any more lose their watch, and those that
 * somebody looks at keep theirs.
 */
async function settleWatches(world: World): Promise<void> {
  for (let round = 1; round <= maxRounds && world.sim.violations.length === 0; round += 1) {
    crons(world, 40 * minuteMs, 4 * minuteMs);
    await world.sim.runFor(45 * minuteMs);
    if (strayWatches(world).length === 0) break;
  }
  checkWatches(world, (rule, detail) => world.sim.violate(rule, detail));
}

async function isDisabled(world: World, userId: string, scoutId: string): Promise<boolean> {
  const row = await world.ledger.items.get({ pk: `USER#${userId}`, sk: `SCOUT#${scoutId}` });
  return row?.["disabledCode"] !== undefined;
}

function crons(world: World, durationMs: number, everyMs: number): void {
  const { sim } = world;
  for (let atMs = everyMs; atMs <= durationMs; atMs += everyMs) {
    for (const cron of ["poll", "due", "sweep", "reservations"] as const) {
      if (cron === "sweep" && atMs % (5 * minuteMs) >= everyMs) continue;
      if (cron === "reservations" && (sim.nowMs + atMs) % (60 * minuteMs) >= everyMs) continue;
      const lateMs = sim.faults.strikes("late_cron") ? sim.random.int(0, 10 * minuteMs) : 0;
      sim.after(atMs + lateMs, `tick ${cron}`, () => world.tick(cron));
    }
  }
}

/** Mail, alone or in bursts, of every nature; most of it is pushed, some is taken away again. */
function arrivals(world: World, mailbox: SimulatedMailbox, count: number, durationMs: number): void {
  const { sim } = world;
  const burstAtMs = sim.random.int(0, durationMs);
  for (let left = count; left > 0; left -= 1) {
    const atMs = sim.random.chance(0.5) ? burstAtMs + sim.random.int(0, 5_000) : sim.random.int(0, durationMs);
    sim.after(atMs, `mail in ${mailbox.address}`, () => arrive(world, mailbox));
  }
}

function arrive(world: World, mailbox: SimulatedMailbox): void {
  const { sim } = world;
  const mail = mailbox.arrive(natureAtRandom(world), sim.nowMs, sim.faults.strikes("oversize_fields"));
  sim.trace(`${mail.nature} mail ${mail.id} arrives`);
  if (sim.faults.strikes("removed_at_source")) {
    sim.after(sim.random.int(0, hourMs), `mail ${mail.id} removed`, () => {
      if (inInbox(mail)) mailbox.remove(mail);
    });
  }
  vanishes(world, mailbox);
  if (!mailbox.hasWatch || !mailbox.isWatched(sim.nowMs) || sim.faults.strikes("lost_push")) return;
  const delayMs = sim.faults.strikes("late_push") ? sim.random.int(0, 10 * minuteMs) : sim.random.int(100, 3_000);
  for (let copies = sim.faults.strikes("duplicate_push") ? 2 : 1; copies > 0; copies -= 1) {
    sim.after(delayMs * copies, "push", () => void world.push(mailbox, `p-${mail.id}`));
  }
}

function natureAtRandom({ sim: { random, faults } }: World): Nature {
  if (faults.strikes("poison")) return "poison";
  if (faults.strikes("model_denies")) return random.pick(["denied", "failing"]);
  if (faults.strikes("model_stuck")) return "stuck";
  if (faults.strikes("model_fickle")) return "fickle";
  if (faults.strikes("model_invalid")) return "invalid";
  if (faults.strikes("model_refusal")) return "refused";
  return random.pick(["relevant", "relevant", "relevant", "spam", "spam", "unsure"]);
}

/** People pause their scouts, have them go on, and delete them. */
function ownerChanges(world: World, scout: ScoutInWorld, durationMs: number): void {
  const { sim } = world;
  for (let times = 2; times > 0; times -= 1) {
    if (!sim.faults.strikes("scout_paused")) continue;
    const atMs = sim.random.int(0, durationMs);
    sim.after(atMs, "owner pauses", () => world.pause(scout, true));
    if (sim.random.chance(0.3)) continue;
    // Often on second thought.
    const afterMs = sim.random.chance(0.5) ? sim.random.int(0, 5_000) : sim.random.int(0, 30 * minuteMs);
    sim.after(atMs + afterMs, "owner resumes", () => world.pause(scout, false));
  }
  if (!sim.faults.strikes("scout_deleted")) return;
  sim.after(sim.random.int(0, durationMs), "owner deletes", () => world.delete(scout, sim.random.pick([0, 5])));
}

/** From the beginning or later on; half the time nobody ever mends it, and mail is found by polling alone. */
function refuseWatches({ sim }: World, mailbox: SimulatedMailbox, durationMs: number): void {
  const { random } = sim;
  const fromMs = random.chance(0.5) ? 0 : random.int(0, durationMs);
  sim.after(fromMs, "watch refused", () => {
    mailbox.watchRefusal = random.pick(watchRefusals);
  });
  if (random.chance(0.5)) return;
  sim.after(fromMs + random.int(0, hourMs), "watch granted", () => {
    mailbox.watchRefusal = undefined;
  });
}

/** What happens to a mailbox: its history is lost, once or again, its grant withdrawn and given again. */
function mishaps(world: World, mailbox: SimulatedMailbox, durationMs: number): void {
  const { sim } = world;
  for (let times = 3; times > 0; times -= 1) {
    if (!sim.faults.strikes("history_lost")) continue;
    sim.after(sim.random.int(0, durationMs), `history of ${mailbox.address} lost`, () => mailbox.loseHistory());
  }
  if (mailbox instanceof SimulatedImap) {
    for (let times = 2; times > 0; times -= 1) {
      if (!sim.faults.strikes("imap_renumbered")) continue;
      sim.after(sim.random.int(0, durationMs), `folder of ${mailbox.address} renumbered`, () => mailbox.renumber());
    }
  }
  if (mailbox.sourceType === "gmail" && sim.faults.strikes("watch_refused")) refuseWatches(world, mailbox, durationMs);
  for (const { userId, scoutId } of world.scouts.filter((scout) => scout.mailbox === mailbox)) {
    if (mailbox.sourceType === "feed" || mailbox.sourceType === "mailbox") continue;
    if (!sim.faults.strikes("grant_withdrawn")) continue;
    const atMs = sim.random.int(0, durationMs);
    sim.after(atMs, "grant withdrawn", () => mailbox.withdraw(scoutId));
    if (sim.random.chance(0.5)) {
      sim.after(atMs + sim.random.int(0, hourMs), "connected again", () => world.connect(userId, scoutId));
    }
  }
}

/**
 * A feed's server, or the disk that files are on, goes away, often just when something has come, and comes back before
 * everything has come to its end.
 */
function vanishes({ sim }: World, mailbox: SimulatedMailbox): void {
  if (!(mailbox instanceof SimulatedFeed || mailbox instanceof SimulatedFiles)) return;
  if (!sim.faults.strikes("source_vanishes")) return;
  const fromMs = sim.random.int(0, sim.random.pick([5_000, hourMs]));
  sim.after(fromMs, `${mailbox.address} vanishes`, () => mailbox.vanish(sim.random));
  const lastsMs = sim.random.int(1_000, 20 * minuteMs);
  sim.after(fromMs + lastsMs, `${mailbox.address} returns`, () => mailbox.comeBack());
}
