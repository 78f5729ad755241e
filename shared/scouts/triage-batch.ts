import type { TriageMessage } from "../../events/queues.ts";
import { asScoutsError, done, type Outcome, outcomeOf } from "../outcome.ts";
import { type ItemRow, unjudged } from "./item-row.ts";
import type { ItemId } from "./item-store.ts";
import { markInterrupted, settleItem } from "./settle-item.ts";
import { trashSpam } from "./trash.ts";
import {
  type FreshProposal,
  judgeItem,
  loadScout,
  type ScoutInBatch,
  type Triaged,
  type TriagePorts,
} from "./triage.ts";

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
 * Triages a batch: rows and scouts are read once for all, items are judged side by side, proposals are sent together.
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
  const rows = new Map<string, ItemRow>();
  for (const row of await ports.items.getMany([...messages.values()].map((message) => idOf(message.body)))) {
    rows.set(nameOf(row), row);
  }
  const scouts = new Map<string, Promise<ScoutInBatch>>();
  const scoutOf = (id: ItemId) => {
    const known = scouts.get(id.scoutId) ?? loadScout(ports, id);
    scouts.set(id.scoutId, known);
    return known;
  };
  const triaged = new Map<string, Triaged>();
  await Promise.all(
    [...messages].map(async ([name, message]) => {
      triaged.set(name, await triageOne(ports, scoutOf, message, rows.get(name), remainingMs));
    }),
  );
  await send(ports, sender, [...triaged.values()], repeated(messages, rows));
  return batch.map((message) => triaged.get(nameOf(message.body))?.outcome ?? done);
}

async function triageOne(
  ports: TriagePorts,
  scoutOf: (id: ItemId) => Promise<ScoutInBatch>,
  message: Received<TriageMessage>,
  row: ItemRow | undefined,
  remainingMs: () => number,
): Promise<Triaged> {
  if (row?.trash === "due") return { outcome: await resumeTrash(ports, scoutOf, row) };
  if (row && !waits(row)) return { outcome: done };
  const id = idOf(message.body);
  let sourceType = row?.sourceType ?? "unknown";
  try {
    const scout = await scoutOf(id);
    sourceType = scout.row.sourceType;
    if (message.receiveCount > 1) await markInterrupted(ports, id, sourceType);
    return await judgeItem(ports, scout, id, remainingMs);
  } catch (error) {
    return { outcome: await settled(ports, id, sourceType, error) };
  }
}

/** A verdict whose consequence is still open: the worker died, or the source asked for patience. */
async function resumeTrash(
  ports: TriagePorts,
  scoutOf: (id: ItemId) => Promise<ScoutInBatch>,
  row: ItemRow,
): Promise<Outcome> {
  try {
    await trashSpam(ports, (await scoutOf(row)).row, row);
    return done;
  } catch (error) {
    ports.log.error("trash_not_resumed", error, { scoutId: row.scoutId, ref: row.ref });
    const outcome = outcomeOf(error, ports.clock());
    return outcome.kind === "retry" ? outcome : done;
  }
}

async function settled(ports: TriagePorts, id: ItemId, sourceType: string, error: unknown): Promise<Outcome> {
  try {
    return await settleItem(ports, id, sourceType, error);
  } catch (failure) {
    ports.log.error("triage_not_settled", failure, { scoutId: id.scoutId, ref: id.ref });
    return { kind: "retry", code: asScoutsError(failure).code };
  }
}

/** Items that have their verdict but may not have been shown: the worker died between the two. */
function repeated(
  messages: ReadonlyMap<string, Received<TriageMessage>>,
  rows: ReadonlyMap<string, ItemRow>,
): ItemRow[] {
  return [...rows].flatMap(([name, row]) => {
    const again = (messages.get(name)?.receiveCount ?? 1) > 1;
    return again && row.status === "queued" ? [row] : [];
  });
}

async function send(
  ports: TriagePorts,
  sender: ProposalSender,
  triaged: readonly Triaged[],
  again: readonly ItemRow[],
): Promise<void> {
  const fresh = triaged.flatMap(({ proposal }) => (proposal ? [proposal] : []));
  try {
    if (fresh.length > 0) await sender.sendFresh(fresh);
    if (again.length > 0) await sender.sendAgain(again);
  } catch (error) {
    // The verdicts stand; a device that misses the shortcut pulls.
    ports.log.error("proposals_not_sent", error, { count: fresh.length + again.length });
  }
}

function waits(row: ItemRow): boolean {
  return unjudged.some((status) => status === row.status);
}

function idOf({ userId, scoutId, ref }: TriageMessage): ItemId {
  return { userId, scoutId, ref };
}

function nameOf({ userId, scoutId, ref }: ItemId): string {
  return `${userId}/${scoutId}/${ref}`;
}
