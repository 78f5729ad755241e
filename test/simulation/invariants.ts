import { type ErrorCode, errorKinds } from "../../events/error-kinds.ts";
import type { ServerFrame } from "../../events/frames/frames.ts";
import { socketLimits } from "../../events/frames/limits.ts";
import type { UserId } from "../../events/ids.ts";
import { triageMessage } from "../../events/queues.ts";
import { parseUsageRow } from "../../shared/billing/usage-row.ts";
import { ledgerKey, splitItemKey } from "../../shared/keys.ts";
import type { TokenUsage } from "../../shared/llm/chat-model.ts";
import { modelFailureClass } from "../../shared/llm/model-failure-class.ts";
import type { Item, Key } from "../../shared/ports/table.ts";
import {
  type ItemRow,
  type ItemStatus,
  isMissed,
  isRedriven,
  isUnjudged,
  parseItemRow,
} from "../../shared/scouts/items/item-row.ts";
import { parseScoutRow } from "../../shared/scouts/scout-row.ts";
import { BreakerInvariants } from "./breaker.ts";
import { canary, inInbox, type SimulatedMail, unjudgeable } from "./mailbox.ts";
import { checkWatches } from "./watch-invariants.ts";
import type { ScoutInWorld, World } from "./world.ts";

const judgedFields = ["reasonCode", "confidence", "inputTokens", "outputTokens", "model", "triagedAt"] as const;
const open: readonly ItemStatus[] = ["queued", "delivered"];
const shown: readonly ItemStatus[] = [...open, "acked", "expired", "gone"];

/** The states an item may go to from each; drawn in shared/scouts/items/item-row.ts. A decision may overtake its device's ack. */
const successors: Record<ItemStatus | "absent", readonly ItemStatus[]> = {
  absent: ["failed", "deferred", "queued", "spam", "gone", "dead"],
  failed: ["failed", "deferred", "queued", "spam", "gone", "dead"],
  deferred: ["failed", "deferred", "queued", "spam", "gone", "dead"],
  queued: ["delivered", "acked", "expired", "gone"],
  delivered: ["delivered", "acked", "expired", "gone"],
  // A decision that was made in time and comes late.
  spam: ["queued", "acked"],
  dead: ["deferred"],
  acked: [],
  // A device hears of what no device had; by then its source may have it no more.
  expired: ["expired", "gone", "acked"],
  gone: ["acked"],
};

/** What was shown without a verdict may get one after all. */
const afterUnjudged: readonly ItemStatus[] = ["queued", "spam"];

/** A timeout while nobody can ask is told from a mail's own by then, in a worker that began before. */
const outageNoticedMs = 3 * 60_000;

function isWaiting(code: ErrorCode): boolean {
  const of = modelFailureClass(code);
  return of === undefined ? errorKinds[code].retry !== "retry" : of === "configuration" || of === "busy";
}

/** What must hold at every step. Each method is called as the thing happens. */
export class StepInvariants {
  readonly breaker: BreakerInvariants;
  readonly #world: World;

  constructor(world: World) {
    this.breaker = new BreakerInvariants(() => {
      const { sim, ledger, provider } = world;
      return { sim, ledger, outages: provider.outages };
    });
    this.#world = world;
  }

  ledgerWritten(key: Key, before: Item | undefined, after: Item | undefined): void {
    this.holdsNoContent("Ledger", after);
    const ofDeleted = key.sk.startsWith("ITEM#") && this.#world.isDeleted(splitItemKey(key).scoutId);
    if (key.sk.startsWith("ITEM#") && !ofDeleted)
      this.#itemWritten(before && parseItemRow(before), after && parseItemRow(after));
    this.breaker.written(key, before, after);
    if (key.sk.startsWith("SCOUT#")) this.#scoutWritten(after);
    if (key.sk.startsWith("SCOUT#") && after?.["cursor"] !== before?.["cursor"]) this.#cursorMoved(after);
  }

  /** P1: tables, queues and logs never hold content. */
  holdsNoContent(where: string, what: unknown): void {
    if (what === undefined) return;
    const text = typeof what === "string" ? what : JSON.stringify(what);
    if (text.includes(canary)) this.#violate("P1 nothing readable at rest", `${where} got ${text.slice(0, 200)}`);
  }

  /** P2: an item leaves the queue only when its row says what becomes of it, or another message does. */
  triageMessageDeleted(body: string): void {
    const { userId, scoutId, ref } = triageMessage.parse(JSON.parse(body));
    if (this.#world.isDeleted(scoutId)) return;
    if (this.#isKept(userId, scoutId, ref)) return;
    this.#violate("P2 nothing lost", `the last message of ${ref} was deleted and it has no row`);
  }

  /** Tenants are apart, and spam is never proposed. */
  posted(userId: UserId, frame: ServerFrame): void {
    const text = JSON.stringify(frame);
    if (text.length > socketLimits.messageBytes) this.#violate("a frame fits the gateway", `${text.length} characters`);
    for (const { address } of this.#world.mailboxes) {
      const theirs = this.#world.scouts.some((each) => each.userId === userId && each.mailbox.address === address);
      if (!theirs && text.includes(address)) {
        this.#violate("tenant isolation", `${userId} got ${text.slice(0, 200)}`);
      }
    }
    if (frame.type !== "scout_proposal" || this.#world.isDeleted(frame.proposal.scoutId)) return;
    const { scoutId, sourceMsgRef } = frame.proposal;
    const status = this.#statusOf(userId, scoutId, sourceMsgRef);
    if (!status) this.#violate("tenant isolation", `${userId} got ${sourceMsgRef}, of which they have no row`);
    else if (!shown.includes(status) && !this.#world.shownUnjudged.has(sourceMsgRef)) {
      this.#violate("no spam is proposed", `${sourceMsgRef} was sent while its row was ${status}`);
    }
  }

  #itemWritten(before: ItemRow | undefined, after: ItemRow | undefined): void {
    if (!after) {
      this.#violate("P2 nothing lost", `the row of ${before?.ref} was deleted`);
      return;
    }
    const from = before?.status ?? "absent";
    if (isUnjudged(after)) this.#world.shownUnjudged.add(after.ref);
    const wasUnjudged = before !== undefined && isUnjudged(before);
    // Gone before it was judged, it is as new when its source has it again.
    const wasMissed = before !== undefined && isMissed(before);
    const isNew = wasMissed || ["absent", "failed", "deferred", "dead"].includes(from);
    if (!isNew && !wasUnjudged) {
      const changed = judgedFields.filter((field) => before?.[field] !== after[field]);
      if (changed.length > 0) this.#violate("a verdict stands", `${after.ref} changed ${changed.join(", ")}`);
    }
    const drawn = wasMissed ? [...successors[from], ...successors.absent] : successors[from];
    const allowed = wasUnjudged ? [...drawn, ...afterUnjudged] : drawn;
    if (!allowed.includes(after.status)) {
      this.#violate("states move as drawn", `${after.ref} went from ${from} to ${after.status}`);
    }
    const spent = after.attempts - (before?.attempts ?? 0);
    const waits = after.code !== undefined && isWaiting(after.code);
    if (spent > 0 && (after.status !== "failed" || waits)) {
      this.#violate("waiting spends no attempt", `${after.ref} spent one on ${after.code ?? after.status}`);
    }
    const { now: outage } = this.#world.provider.outages;
    const lasts = outage && this.#world.sim.nowMs - outage.sinceMs > outageNoticedMs;
    if (spent > 0 && lasts && after.code?.startsWith("model_")) {
      this.#violate("a model nobody can ask spends no attempt", `${after.ref} spent one on ${after.code}`);
    }
  }

  /** A scout is switched off by its owner's doing only; nothing else here needs them. */
  #scoutWritten(after: Item | undefined): void {
    const code = after?.["disabledCode"];
    const deleted = code === "scout_deleting" && this.#world.isDeleted(String(after?.["scoutId"]));
    const scout = this.#world.scouts.find(({ scoutId }) => scoutId === after?.["scoutId"]);
    const withdrawn = code === "reauth" && scout?.mailbox.everWithdrawn.has(scout.scoutId) === true;
    if (code !== undefined && !withdrawn && !deleted)
      this.#violate("only its owner switches a scout off", String(code));
  }

  /** P2: whatever the source had accepted before the cursor is queued or has its row. */
  #cursorMoved(after: Item | undefined): void {
    if (!after) return;
    const row = parseScoutRow(after);
    const scout = this.#world.scouts.find(({ scoutId }) => scoutId === row.scoutId);
    // The rows of a scout that is being deleted go one by one, and a run that is under way may still write to its row.
    if (!scout || row.cursor === undefined || row.disabledCode === "scout_deleting") return;
    const isListed = scout.mailbox.hasListed(scout.scoutId, row.cursor);
    for (const mail of accepted(scout)) {
      if (!inInbox(mail) || !isListed(mail)) continue;
      if (this.#isKept(scout.userId, scout.scoutId, scout.mailbox.refOf(scout.scoutId, mail))) continue;
      this.#violate("the cursor follows the queue", `cursor ${row.cursor} is ahead of ${mail.id} (${mail.historyId})`);
    }
  }

  #isKept(userId: string, scoutId: string, ref: string): boolean {
    if (this.#statusOf(userId, scoutId, ref)) return true;
    const { triage, imap } = this.#world.queues;
    return [...triage.bodies(), ...imap.bodies()].some((body) => body.includes(scoutId) && body.includes(`"${ref}"`));
  }

  #statusOf(userId: string, scoutId: string, ref: string): ItemStatus | undefined {
    const row = rowOf(this.#world, userId, scoutId, ref);
    return row?.status;
  }

  #violate(rule: string, detail: string): void {
    this.#world.sim.violate(rule, detail);
  }
}

/** Mail that arrived since the scout was connected. */
export function accepted(scout: ScoutInWorld): SimulatedMail[] {
  return scout.mailbox.mails.filter((mail) => mail.historyId > scout.connectedAt);
}

export function rowOf(world: World, userId: string, scoutId: string, ref: string): ItemRow | undefined {
  const key = ledgerKey.item(userId as UserId, scoutId as never, ref as never);
  const item = world.ledger.items.peek(key);
  return item && parseItemRow(item);
}

/** What is not at its end yet; empty when the system has come to rest. */
export function unsettled(world: World): string[] {
  const kept = world.scouts.filter(({ deleted }) => !deleted);
  const waiting = kept.flatMap((scout) =>
    accepted(scout).flatMap((mail) => {
      const row = rowOf(world, scout.userId, scout.scoutId, scout.mailbox.refOf(scout.scoutId, mail));
      if (row && isRedriven(row)) return [`${mail.id} is redriven and not tried yet`];
      const status = row?.status;
      if (!status) return inInbox(mail) ? [`${mail.id} has no row`] : [];
      return status === "failed" || status === "deferred" ? [`${mail.id} is still ${status}`] : [];
    }),
  );
  const { triage, sync, imap } = world.queues;
  const queues = [triage, sync, imap].map((queue) => queue.length + queue.deadLength);
  const left = queues.some((length) => length > 0)
    ? [`${queues.join(", ")} messages are left on Triage, Sync and Imap`]
    : [];
  const undeleted = world.scouts.filter((scout) => scout.deleted && world.rowOf(scout));
  const remaining = undeleted.map(({ scoutId }) => `${scoutId} is still there`);
  return [
    ...waiting,
    ...world.invariants.breaker.open(),
    ...remaining,
    ...left,
    ...world.devices.flatMap((device) => missingOn(world, device)),
  ];
}

/** Every open relevant proposal is on every device, and the cloud knows it. */
function missingOn(world: World, device: World["devices"][number]): string[] {
  const rows = openRows(world, device.userId);
  const missing = rows.filter(({ scoutId, ref }) => !device.store.proposals.find(`${scoutId}.${ref}` as never));
  const unacked = rows.filter((row) => row.on[device.deviceId] === undefined);
  const { waiting } = device.store.outbox.counts();
  return [
    ...missing.map(({ ref }) => `${ref} is not on ${device.name}`),
    ...unacked.map(({ ref }) => `${ref} is not acked by ${device.name}`),
    ...(waiting > 0 ? [`${device.name} still has ${waiting} frames to send`] : []),
  ];
}

function openRows(world: World, userId: UserId): ItemRow[] {
  const theirs = itemRows(world).filter((row) => row.userId === userId && !world.isDeleted(row.scoutId));
  return theirs.filter(({ status }) => open.includes(status));
}

function itemRows(world: World): ItemRow[] {
  return world.ledger.items
    .dump()
    .filter(({ sk }) => sk.startsWith("ITEM#"))
    .map(parseItemRow);
}

/** What must hold when the system has come to rest. */
export function checkAtRest(world: World): void {
  const violate = (rule: string, detail: string) => world.sim.violate(rule, detail);
  for (const what of unsettled(world)) violate("P2 every item ends", what);
  for (const row of itemRows(world).filter(({ scoutId }) => !world.isDeleted(scoutId))) {
    const mail = world.mailOf(row.scoutId, row.ref);
    if (!mail) violate("P2 nothing is made up", `${row.ref} was never at its source`);
    else checkItem(world, row, mail, violate);
  }
  for (const device of world.devices) checkDevice(world, device, violate);
  checkUsage(world, violate);
  checkWatches(world, violate);
}

/** A person's usage is what their rows count, once every reservation has ended. */
function checkUsage(world: World, violate: (rule: string, detail: string) => void): void {
  const usage = world.ledger.items.dump().filter(({ sk }) => sk.startsWith("USAGE#"));
  const rows = itemRows(world);
  for (const pk of new Set(usage.map((item) => item.pk))) {
    const own = usage.filter((item) => item.pk === pk).map(parseUsageRow);
    if (own.some(({ open: reservations }) => reservations.size > 0)) continue;
    // Rows that counted are gone with their scout.
    if (world.scouts.some(({ userId, deleted }) => deleted && pk === `USER#${userId}`)) continue;
    const used = own.reduce((sum, each) => sum + each.used, 0);
    const counted = rows
      .filter(({ userId }) => pk === `USER#${userId}`)
      .reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0);
    if (used !== counted) violate("usage is what the rows count", `${pk} used ${used}, rows count ${counted}`);
  }
}

function checkItem(
  world: World,
  row: ItemRow,
  mail: SimulatedMail,
  violate: (rule: string, detail: string) => void,
): void {
  if (row.status === "gone" && inInbox(mail)) violate("P2 nothing lost", `${row.ref} is at its source and called gone`);
  if (row.status === "dead" && row.code === undefined) violate("P2 the dead have a code", row.ref);
  // What nobody could read at the time: workers died over it, or its source was away for half an hour.
  const unread = row.code === "interrupted" || row.code?.startsWith("source_") === true;
  if (row.status === "dead" && !unread) {
    violate("what cannot be judged is shown", `${row.ref} is dead of ${row.code}`);
  }
  if (
    (isUnjudged(row) || row.status === "dead") &&
    world.redriven.has(`${row.scoutId}.${row.ref}`) &&
    !unjudgeable.includes(mail.nature)
  ) {
    violate("after repair everything is judged", `${row.ref} (${mail.nature}) is still unjudged: ${row.code}`);
  }
  const answer = world.provider.answers.find(({ model }) => model === row.model);
  if (row.model === undefined) {
    checkUnjudged(world, row, mail, violate);
    return;
  }
  const counted = `${row.inputTokens}/${row.outputTokens}`;
  if (!answer || answer.mailId !== mail.id) violate("a verdict has its answer", `${row.ref} names ${row.model}`);
  else if (!isSumOf(row, [answer.usage], otherAnswers(world, mail, row.model))) {
    violate(
      "tokens of a row are those of its answers",
      `${row.ref} has ${counted}, billed ${JSON.stringify(answer.usage)}`,
    );
  } else if ((answer.verdict === "spam") !== (row.status === "spam")) {
    violate("a verdict has its answer", `${row.ref} is ${row.status}, the model said ${answer.verdict}`);
  }
}

/** Without a verdict a row counts answers that came to nothing: useless ones, and verdicts that could not be written. */
function checkUnjudged(
  world: World,
  row: ItemRow,
  mail: SimulatedMail,
  violate: (rule: string, detail: string) => void,
): void {
  if (isSumOf(row, [], otherAnswers(world, mail))) return;
  violate(
    "tokens of a row are those of its answers",
    `${row.ref} (${row.code}) has ${row.inputTokens}/${row.outputTokens}`,
  );
}

function otherAnswers(world: World, { id }: SimulatedMail, judgedBy?: string): TokenUsage[] {
  const answers = world.provider.answers.filter(({ mailId, model }) => mailId === id && model !== judgedBy);
  return answers.map(({ usage }) => usage);
}

/** Whether a row's tokens are those of `all` and of some of `others`: an answer nobody heard is billed and not counted. */
function isSumOf(
  { inputTokens, outputTokens }: TokenUsage,
  all: readonly TokenUsage[],
  others: readonly TokenUsage[],
): boolean {
  let sums: (readonly [number, number])[] = [[0, 0]];
  for (const each of all) sums = sums.map(([input, output]) => [input + each.inputTokens, output + each.outputTokens]);
  for (const each of others) {
    const more = sums.map(([input, output]) => [input + each.inputTokens, output + each.outputTokens] as const);
    const fits = more.filter(([input, output]) => input <= inputTokens && output <= outputTokens);
    sums = [...new Map([...sums, ...fits].map((sum) => [sum.join("/"), sum])).values()];
  }
  return sums.some(([input, output]) => input === inputTokens && output === outputTokens);
}

function checkDevice(
  world: World,
  device: World["devices"][number],
  violate: (rule: string, detail: string) => void,
): void {
  for (const [id, times] of device.shown) {
    if (times > 1) violate("P2 nothing twice", `${device.name} showed ${id} ${times} times`);
  }
  for (const { id } of device.store.proposals.list()) {
    const key = splitItemKey({ pk: `USER#${device.userId}`, sk: `ITEM#${id.replace(".", "#")}` });
    const status = rowOf(world, key.userId, key.scoutId, key.ref)?.status;
    if (world.isDeleted(key.scoutId)) continue;
    if (status === "spam" && world.shownUnjudged.has(key.ref)) continue;
    if (!status || !shown.includes(status)) violate("no spam is proposed", `${device.name} holds ${id}: ${status}`);
  }
}
