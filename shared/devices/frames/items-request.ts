import { ScoutsError } from "../../../events/errors.ts";
import type { ClientFrame, ServerFrame } from "../../../events/frames/frames.ts";
import type { ItemPart } from "../../../events/frames/items.ts";
import { type ProposalId, type ScoutId, splitProposalId } from "../../../events/ids.ts";
import { asScoutsError } from "../../outcome/outcome.ts";
import { type After, systemAfter } from "../../ports/clock.ts";
import type { ScoutAtSource, SourceConnector } from "../../scouts/connectors/connector.ts";
import type { ItemRow } from "../../scouts/items/item-row.ts";
import type { QuotaTurn } from "../../scouts/quota/source-quota.ts";
import type { ScoutRow } from "../../scouts/scout-row.ts";
import { packedBytes } from "../together.ts";
import type { DevicePorts, From } from "./device-ports.ts";
import { itemParts } from "./item-parts.ts";

type ItemsFrame = Extract<ServerFrame, { type: "scout_items" }>;
type Told = Pick<ItemsFrame, "parts" | "refused">;

/** Reads side by side: a source, and a function's memory, stand no more for what nobody waits for. */
const atOnce = 4;

/**
 * So long the answer for what is read side by side waits for one that hangs: longer than a source waits before it
 * gives up what was asked for together (4 s). Such a wait and then the longest read (19 s) end before the function's 29 s.
 */
const slowMs = 6_000;

/**
 * Reads several items at their sources: one look at the tables for all, and one take from each source. What cannot be read keeps nothing from the others.
 */
export async function itemsRequested(
  ports: DevicePorts,
  { userId, connectionId }: From,
  frame: Extract<ClientFrame, { type: "scout_items_request" }>,
): Promise<void> {
  const asked = [...new Set(frame.proposalIds)].map((proposalId) => ({ proposalId, ...splitProposalId(proposalId) }));
  const scoutIds = [...new Set(asked.map(({ scoutId }) => scoutId))];
  const [{ rows, damaged }, scouts] = await Promise.all([
    ports.items.getEach(asked.map(({ scoutId, ref }) => ({ userId, scoutId, ref }))),
    ports.scouts.getEach(scoutIds.map((scoutId) => ({ userId, scoutId }))),
  ]);
  const rowOf = new Map(rows.map((row) => [`${row.scoutId}.${row.ref}`, row]));
  const unread = new Map(damaged.map(({ id, error }) => [`${id.scoutId}.${id.ref}`, error]));
  const reads = asked.map(({ proposalId, scoutId, ref }) => ({
    proposalId,
    row: rowOf.get(`${scoutId}.${ref}`),
    unread: unread.get(`${scoutId}.${ref}`),
    scout: scouts.rows.find((scout) => scout.scoutId === scoutId),
  }));
  const take = takesOf(ports, reads);
  const tell = async (told: readonly Told[]) => {
    for (const packed of told.length > 0 ? inMessages(told) : []) {
      const answer: ItemsFrame = { type: "scout_items", inReplyTo: frame.id, ...packed };
      if ((await ports.sockets.post(connectionId, answer)) === "gone") return "gone";
    }
    return "told";
  };
  const slow: Promise<Told>[] = [];
  for (let start = 0; start < reads.length; start += atOnce) {
    const some = reads.slice(start, start + atOnce).map((each) => toldOf(ports, each, take));
    const { told, late } = await inTime(some, ports.after ?? systemAfter);
    slow.push(...late);
    if ((await tell(told)) === "gone") return;
  }
  for (const late of slow) if ((await tell([await late])) === "gone") return;
}

/** What is read within {@link slowMs}, in the order asked for, and what is still being read then. */
async function inTime(reads: readonly Promise<Told>[], after: After) {
  const read = new Map<Promise<Told>, Told>();
  const all = Promise.all(reads.map(async (each) => read.set(each, await each)));
  const waited = Promise.withResolvers<void>();
  const stop = after(slowMs, waited.resolve);
  await Promise.race([all, waited.promise]);
  stop();
  return {
    told: reads.flatMap((each) => read.get(each) ?? []),
    late: reads.filter((each) => !read.has(each)),
  };
}

interface ItemRead {
  readonly proposalId: ProposalId;
  readonly row: ItemRow | undefined;
  /** Why its row cannot be read. */
  readonly unread: unknown;
  /** Undefined when its scout is gone, or its row damaged: its connector meets that as well, where it needs it. */
  readonly scout: ScoutRow | undefined;
}

/** Takes for all items of a scout together, when the first of them is read. */
function takesOf({ quota }: DevicePorts, reads: readonly ItemRead[]) {
  const begun = new Map<ScoutId, Promise<QuotaTurn>>();
  return (row: ItemRow, scout: ScoutAtSource, { limits }: SourceConnector): Promise<QuotaTurn> => {
    const { length } = reads.filter((each) => each.row?.scoutId === row.scoutId);
    const turn = begun.get(row.scoutId) ?? quota.take(scout, limits, length * (limits?.costs.read ?? 0));
    begun.set(row.scoutId, turn);
    return turn;
  };
}

async function toldOf(
  { connectors, log }: DevicePorts,
  { proposalId, row, unread, scout }: ItemRead,
  take: ReturnType<typeof takesOf>,
): Promise<Told> {
  try {
    if (unread !== undefined) throw unread;
    const connector = row && connectors.get(row.sourceType);
    if (!connector) throw new ScoutsError("proposal_not_found");
    const source = scout ?? row;
    const taken = await take(row, source, connector);
    if (!taken.granted) throw new ScoutsError("source_quota_spent", { data: { untilMs: taken.untilMs } });
    const parts = itemParts(proposalId, await connector.fetchContent(source, row.ref));
    if (parts.some((part) => bytesOf(part) > packedBytes)) throw new ScoutsError("payload_too_large");
    return { parts, refused: [] };
  } catch (error) {
    const { code, data } = asScoutsError(error);
    log.error("item_refused", error, { refusal: code, ...data });
    return { parts: [], refused: [{ proposalId, code }] };
  }
}

/** As many parts a message as it holds, the refusals with the last. */
function inMessages(told: readonly Told[]): Told[] {
  const messages: ItemPart[][] = [[]];
  let bytes = 0;
  for (const part of told.flatMap(({ parts }) => parts)) {
    const more = bytesOf(part);
    if (bytes + more > packedBytes) {
      messages.push([]);
      bytes = 0;
    }
    messages.at(-1)?.push(part);
    bytes += more;
  }
  const refused = told.flatMap((each) => each.refused);
  return messages.map((parts, index) => ({ parts, refused: index === messages.length - 1 ? refused : [] }));
}

/** With the comma after it. */
const bytesOf = (part: ItemPart): number => Buffer.byteLength(JSON.stringify(part)) + 1;
