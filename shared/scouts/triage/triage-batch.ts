import { ScoutsError } from "../../../events/errors.ts";
import { joinProposalId } from "../../../events/ids.ts";
import type { TriageMessage } from "../../../events/queues.ts";
import type { OpenBreaker } from "../../breaker/breaker-row.ts";
import { delays } from "../../outcome/delays.ts";
import { retryPolicies } from "../../outcome/next-try.ts";
import { asScoutsError, done, isOwnService, type Outcome, outcomeOf, unsettled } from "../../outcome/outcome.ts";
import { isolatePoison } from "../../outcome/poison-isolation.ts";
import { type DelayedMessage, queueAgain } from "../../outcome/queue-again.ts";
import { tellDamage } from "../../stored-row.ts";
import { type ItemRow, isMissed, isRedriven, waits } from "../items/item-row.ts";
import type { ItemId } from "../items/item-store.ts";
import { trashSpam } from "../items/trash.ts";
import { SourceThrottle } from "../quota/source-throttle.ts";
import type { Attempt } from "../settle/attempt.ts";
import { giveUp } from "../settle/give-up.ts";
import { markInterrupted, settleItem } from "../settle/settle-item.ts";
import { holdItem } from "../settle/settle-model-failure.ts";
import { type Admission, admit, type WaitingItem } from "./admission.ts";
import { closeFormer } from "./close-former.ts";
import { forgetRemoved } from "./forget-removed.ts";
import { settleTokens } from "./settle-tokens.ts";
import { type FreshProposal, judgeItem, loadScout, type Triaged, type TriagePorts } from "./triage.ts";

/**
 * After so many receives everything in a batch has been judged but what takes its worker with it (see `isolationOrder`). That is
 * not read again: it goes on with a message of its own, so that the messages of the others end.
 */
const readsOfMessage = 3;

export interface Received<M> {
  readonly body: M;
  /** How often the queue has handed this message out, this time included. */
  readonly receiveCount: number;
}

/** Sends what a batch found worth showing; whatever it cannot send, the devices pull. */
export interface ProposalSender {
  sendFresh(proposals: readonly FreshProposal[]): Promise<void>;
  sendAgain(rows: readonly ItemRow[]): Promise<void>;
}

/**
 * Triages a batch: rows and scouts are read once for all, items are judged side by side (those that come again one after
 * another, see `isolationOrder`), proposals are sent together.
 * Outcomes come in the order of the messages; a message whose state could not even be written is a `retry`.
 */
export async function triageBatch(
  ports: TriagePorts,
  sender: ProposalSender,
  batch: readonly Received<TriageMessage>[],
  remainingMs: () => number,
): Promise<Outcome[]> {
  const messages = new Map<string, Received<TriageMessage>>();
  for (const message of batch) messages.set(nameOf(message.body), message);
  const found = await ports.items
    .getEach([...messages.values()].map((message) => idOf(message.body)))
    .catch((error: unknown) => ({ error }));
  if ("error" in found) return notLookedAt(ports, batch, found.error);
  const rows = new Map(found.rows.map((row) => [nameOf(row), row]));
  const triaged = new Map<string, Triaged>();
  for (const { id, error } of found.damaged) {
    // Whether it was judged nobody knows: its message comes again until it is set aside, for whoever mends the row.
    tellDamage(error, ports.log, "triage");
    messages.delete(nameOf(id));
    triaged.set(nameOf(id), { outcome: { kind: "retry", code: "row_damaged" } });
  }
  const waiting = new Map<string, WaitingItem>();
  for (const [name, { body }] of messages) {
    const row = rows.get(name);
    if (!row || wantsVerdict(row)) waiting.set(name, { id: idOf(body), row });
    else triaged.set(name, { outcome: row.trash === "due" ? await resumeTrash(ports, row) : done });
  }
  const admissions = await admit(ports, [...waiting.values()]);
  const throttle = new SourceThrottle(ports);
  const receivesOf = ([name]: [string, WaitingItem]) => messages.get(name)?.receiveCount ?? 1;
  await isolatePoison(
    [...waiting],
    ([name]) => name,
    receivesOf,
    async ([name, item]) => {
      const receives = receivesOf([name, item]);
      triaged.set(name, await triageOne(ports, throttle, item, admissions.get(item), receives, remainingMs));
    },
  );
  const seenBefore = judgedAgain(messages, rows);
  const ended = [...triaged.values()].flatMap(({ ended: row }) => (row ? [row] : []));
  // A message that was set aside for it and redriven is handed out for the first time, so that all that are judged count.
  const judged = found.rows.filter((row) => !wantsVerdict(row));
  const former = await closeFormer(ports, [...ended, ...judged]);
  const settling = settleTokens(ports, waiting, triaged, admissions, seenBefore);
  const unread = [...triaged.values()].flatMap(({ shown: row }) => (row ? [row] : []));
  const again = [...seenBefore.filter(({ status }) => status === "queued"), ...unread];
  const proposals = [...triaged.values()].flatMap(({ proposal }) => (proposal ? [proposal] : []));
  const { stay, unknown } = await forgetRemoved(ports, [...ended, ...seenBefore]);
  const unclosed = new Set([...former, ...unknown].map(nameOf));
  const [notQueued] = await Promise.all([
    settling.then(() => queueAgain(ports.triage, waitingItems(waiting, triaged), ports.log, "items")),
    send(
      ports,
      sender,
      proposals.filter(({ row }) => stay.has(row)),
      again.filter((row) => stay.has(row)),
    ),
    closeDismissed(ports, rows, triaged),
  ]);
  return batch.map(({ body }) => {
    const name = nameOf(body);
    if (notQueued && triaged.get(name)?.againInMs !== undefined) return notQueued;
    if (unclosed.has(name)) return unsettled;
    return triaged.get(name)?.outcome ?? unsettled;
  });
}

/**
 * The table was away before anything was done. What comes for the first time goes on as a new message, and not when the queue brings it
 * back, minutes later; what has come before may take its worker with it, and is counted.
 *
 * @throws what is no failure of a service of our own
 */
async function notLookedAt(
  ports: TriagePorts,
  batch: readonly Received<TriageMessage>[],
  error: unknown,
): Promise<Outcome[]> {
  const { code } = asScoutsError(error);
  if (!isOwnService(code)) throw error;
  ports.log.error("items_not_looked_at", error, { count: batch.length });
  const isFirst = ({ receiveCount }: Received<TriageMessage>) => receiveCount === 1;
  const again = batch.filter(isFirst).map(({ body }) => ({ body, group: body.userId, delayMs: delays.serviceAway }));
  const notQueued = await queueAgain(ports.triage, again, ports.log, "items");
  return batch.map((each) => (isFirst(each) ? (notQueued ?? done) : { kind: "retry", code }));
}

async function triageOne(
  ports: TriagePorts,
  throttle: SourceThrottle,
  { id, row }: WaitingItem,
  admission: Admission | undefined,
  receives: number,
  remainingMs: () => number,
): Promise<Triaged> {
  const sourceType = row?.sourceType ?? "unknown";
  const begun: Attempt = { id, row, sourceType, startedAtMs: ports.clock(), remainingMs };
  if (!admission) return { outcome: unsettled };
  if ("held" in admission) return held(ports, { ...begun, sourceType: admission.sourceType }, admission.held);
  if ("refused" in admission) return settled(ports, begun, admission.refused);
  const { scout, reservation } = admission;
  const tried: Attempt = { ...begun, sourceType: scout.row.sourceType, reservation: reservation.id };
  try {
    const interrupted = row?.code === "interrupted" || (row !== undefined && isRedriven(row));
    if (receives > readsOfMessage && interrupted) throw new ScoutsError("interrupted");
    if (receives > 1) await markInterrupted(ports, id, tried.sourceType);
    const spent = row !== undefined && waits(row) && row.attempts >= retryPolicies.items.maxFaults;
    if (spent) return await giveUp(ports, tried, row.code ?? "attempts_exhausted", undefined);
    return await judgeItem(ports, scout, id, reservation.id, remainingMs);
  } catch (error) {
    return settled(ports, tried, await throttle.record(scout.row, error));
  }
}

/** A verdict whose consequence is still open: the worker died, or the source was rate limiting. */
async function resumeTrash(ports: TriagePorts, row: ItemRow): Promise<Outcome> {
  try {
    await trashSpam(ports, (await loadScout(ports, row)).row, row);
    return done;
  } catch (error) {
    ports.log.error("trash_not_resumed", error, { scoutId: row.scoutId, ref: row.ref });
    const outcome = outcomeOf(error, ports.clock());
    return outcome.kind === "retry" ? outcome : done;
  }
}

function settled(ports: TriagePorts, tried: Attempt, error: unknown): Promise<Triaged> {
  return writtenDown(ports, tried, () => settleItem(ports, tried, error));
}

function held(ports: TriagePorts, tried: Attempt, open: OpenBreaker): Promise<Triaged> {
  return writtenDown(ports, tried, () => holdItem(ports, tried, open));
}

async function writtenDown({ log }: TriagePorts, { id }: Attempt, settle: () => Promise<Triaged>): Promise<Triaged> {
  try {
    return await settle();
  } catch (failure) {
    log.error("triage_not_settled", failure, { scoutId: id.scoutId, ref: id.ref });
    return { outcome: { kind: "retry", code: asScoutsError(failure).code } };
  }
}

/** Items that come again although they have a result: their worker died before it was shown, or counted. */
function judgedAgain(
  messages: ReadonlyMap<string, Received<TriageMessage>>,
  rows: ReadonlyMap<string, ItemRow>,
): ItemRow[] {
  return [...rows].flatMap(([name, row]) => {
    const again = (messages.get(name)?.receiveCount ?? 1) > 1;
    return again && !wantsVerdict(row) ? [row] : [];
  });
}

function waitingItems(
  waiting: ReadonlyMap<string, WaitingItem>,
  triaged: ReadonlyMap<string, Triaged>,
): DelayedMessage<TriageMessage>[] {
  return [...waiting].flatMap(([name, { id }]): DelayedMessage<TriageMessage>[] => {
    const delayMs = triaged.get(name)?.againInMs;
    if (delayMs === undefined) return [];
    const { userId, scoutId, ref } = id;
    return [{ body: { v: 1, userId, scoutId, ref }, group: userId, delayMs }];
  });
}

async function send(
  ports: TriagePorts,
  sender: ProposalSender,
  fresh: readonly FreshProposal[],
  again: readonly ItemRow[],
): Promise<void> {
  try {
    if (fresh.length > 0) await sender.sendFresh(fresh);
    if (again.length > 0) await sender.sendAgain(again);
  } catch (error) {
    // The verdicts stand; a device that misses the shortcut pulls.
    ports.log.error("proposals_not_sent", error, { count: fresh.length + again.length });
  }
}

/** Shown unjudged and judged as spam since: devices that show it take it away. Who is not told finds out by asking. */
async function closeDismissed(
  { notices, log }: TriagePorts,
  before: ReadonlyMap<string, ItemRow>,
  triaged: ReadonlyMap<string, Triaged>,
): Promise<void> {
  const dismissed = [...triaged].flatMap(([name, { ended }]) => {
    const was = before.get(name);
    return ended?.status === "spam" && was && isRedriven(was) ? [ended] : [];
  });
  for (const { userId, scoutId, ref, round } of dismissed) {
    const proposalId = joinProposalId(scoutId, ref);
    try {
      await notices.toEveryDevice(userId, [{ type: "scout_proposal_closed", proposalId, round, reason: "dismissed" }]);
    } catch (error) {
      log.error("close_not_sent", error, { scoutId, ref });
    }
  }
}

function wantsVerdict(row: ItemRow): boolean {
  return waits(row) || isRedriven(row) || isMissed(row);
}

function idOf({ userId, scoutId, ref }: TriageMessage): ItemId {
  return { userId, scoutId, ref };
}

function nameOf({ userId, scoutId, ref }: ItemId): string {
  return `${userId}/${scoutId}/${ref}`;
}
