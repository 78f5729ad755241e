import { ScoutsError } from "../../../events/errors.ts";
import type { UserId } from "../../../events/ids.ts";
import type { Month } from "../../billing/month.ts";
import type { Reservation, ReservationRequest } from "../../billing/reservation.ts";
import { monthlyCap } from "../../billing/tiers.ts";
import type { OpenBreaker } from "../../breaker/breaker-row.ts";
import type { ItemRow } from "../items/item-row.ts";
import type { ItemId } from "../items/item-store.ts";
import { loadScout, type ScoutInBatch, type TriagePorts } from "./triage.ts";

/**
 * Set aside for one verdict. The prompt is at most about 4,000 characters, and a useless answer is asked for again; most
 * verdicts take a fifth of it.
 */
export const tokensPerVerdict = 3_000;

/** An item that has no verdict yet, as a batch brings it. */
export interface WaitingItem {
  readonly id: ItemId;
  readonly row: ItemRow | undefined;
}

/** Leave to read one item and to ask for its verdict. */
export interface Admitted {
  readonly scout: ScoutInBatch;
  readonly month: Month;
  readonly reservation: Reservation;
}

/** The model cannot be asked: neither tokens nor the source are troubled for it. */
export interface Held {
  readonly held: OpenBreaker;
  readonly sourceType: string;
}

export type Admission = Admitted | Held | { readonly refused: unknown };

/** The name of an item's verdict in its owner's usage row, the same however often the item is delivered. */
export function verdictOp({ scoutId, ref }: Pick<ItemId, "scoutId" | "ref">): string {
  return `${scoutId}.${ref}.triage`;
}

/**
 * Asks for all items of a batch together whether they may be worked on now: one write to each mailbox's quota, then one
 * to each person's tokens. Who may not gets the error that says why, and for how long.
 */
export async function admit(
  ports: TriagePorts,
  items: readonly WaitingItem[],
): Promise<ReadonlyMap<WaitingItem, Admission>> {
  const admissions = new Map<WaitingItem, Admission>();
  const byScout = [...Map.groupBy(items, ({ id }) => id.scoutId).values()];
  const within = await Promise.all(byScout.map((own) => withinQuota(ports, own, admissions)));
  const byUser = Map.groupBy(within.flat(), ({ item }) => item.id.userId);
  await Promise.all([...byUser].map(([user, own]) => reserveTokens(ports, user, own, admissions)));
  return admissions;
}

interface WithinQuota {
  readonly item: WaitingItem;
  readonly scout: ScoutInBatch;
}

async function withinQuota(
  ports: TriagePorts,
  own: readonly WaitingItem[],
  admissions: Map<WaitingItem, Admission>,
): Promise<WithinQuota[]> {
  const refuse = (why: unknown): [] => {
    for (const item of own) admissions.set(item, { refused: why });
    return [];
  };
  const [first] = own;
  if (!first) return [];
  try {
    const scout = await loadScout(ports, first.id);
    const held = await ports.breaker.current();
    if (held) {
      for (const item of own) admissions.set(item, { held, sourceType: scout.row.sourceType });
      return [];
    }
    const limits = ports.connectors.get(scout.row.sourceType)?.limits;
    const taken = await ports.quota.take(scout.row, limits, own.length * (limits?.costs.read ?? 0));
    if (taken.granted) return own.map((item) => ({ item, scout }));
    return refuse(new ScoutsError("source_quota_spent", { data: { retryAfterMs: taken.untilMs - ports.clock() } }));
  } catch (error) {
    return refuse(error);
  }
}

async function reserveTokens(
  ports: TriagePorts,
  user: UserId,
  own: readonly WithinQuota[],
  admissions: Map<WaitingItem, Admission>,
): Promise<void> {
  const byOp = new Map(own.map((each) => [verdictOp(each.item.id), each]));
  try {
    const { month, granted, refused } = await ports.budget.reserve(user, reservationRequests(byOp), capsOf(own));
    for (const reservation of granted) {
      const each = byOp.get(reservation.op);
      if (each) admissions.set(each.item, { scout: each.scout, month, reservation });
    }
    for (const { request, untilMs } of refused) {
      const each = byOp.get(request.op);
      if (!each) continue;
      const data = { retryAfterMs: untilMs - ports.clock(), tier: each.scout.account.tier };
      admissions.set(each.item, { refused: new ScoutsError("quota_exceeded", { data }) });
    }
  } catch (error) {
    for (const { item } of own) admissions.set(item, { refused: error });
  }
}

function reservationRequests(byOp: ReadonlyMap<string, WithinQuota>): ReservationRequest[] {
  return [...byOp].map(([op, { item }]) => {
    const base = (item.row?.inputTokens ?? 0) + (item.row?.outputTokens ?? 0);
    return { op, within: item.id.scoutId, tokens: tokensPerVerdict, base, writtenUnder: item.row?.reservation };
  });
}

function capsOf(own: readonly WithinQuota[]): Parameters<TriagePorts["budget"]["reserve"]>[2] {
  const [first] = own;
  const capped = own.flatMap(({ scout: { row } }): [string, number][] =>
    row.monthlyTokens === undefined ? [] : [[row.scoutId, row.monthlyTokens]],
  );
  return { total: monthlyCap(first?.scout.account.tier ?? "free", "triage"), within: new Map(capped) };
}
