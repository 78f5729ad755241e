import type { Condition, Path } from "../ports/table.ts";
import { nextMonthMs } from "./month.ts";
import type { Caps, ReservationRequest, Reserved } from "./reservation.ts";
import { type UsageRow, usagePath } from "./usage-row.ts";

/** The wait when what is left is set aside for others who may not need all of it. */
export const contendedMs = 30_000;

export type Allotment = Pick<Reserved, "refused"> & { readonly fits: readonly ReservationRequest[] };

/** Which requests there is room for, in their order, and until when the others wait. */
export function allot(row: UsageRow, requests: readonly ReservationRequest[], caps: Caps, nowMs: number): Allotment {
  let left = (caps.total ?? Number.POSITIVE_INFINITY) - row.committed;
  const leftWithin = new Map([...caps.within].map(([name, cap]) => [name, cap - (row.committedWithin.get(name) ?? 0)]));
  const fits: ReservationRequest[] = [];
  const refused: { request: ReservationRequest; untilMs: number }[] = [];
  for (const request of requests) {
    const own = leftWithin.get(request.within) ?? Number.POSITIVE_INFINITY;
    if (row.open.has(request.op)) fits.push(request);
    else if (request.tokens <= left && request.tokens <= own) {
      fits.push(request);
      left -= request.tokens;
      leftWithin.set(request.within, own - request.tokens);
    } else
      refused.push({ request, untilMs: mayFitSoon(row, request, caps) ? nowMs + contendedMs : nextMonthMs(nowMs) });
  }
  return { fits, refused };
}

/** Whether there would be room if everybody settled for nothing: then it is too early to give the month up. */
function mayFitSoon(row: UsageRow, request: ReservationRequest, caps: Caps): boolean {
  const open = [...row.open.values()];
  const own = open.filter(({ within }) => within === request.within);
  const settled = row.committed - sum(open);
  const settledWithin = (row.committedWithin.get(request.within) ?? 0) - sum(own);
  const { total: cap = Number.POSITIVE_INFINITY } = caps;
  const capWithin = caps.within.get(request.within) ?? Number.POSITIVE_INFINITY;
  return settled + request.tokens <= cap && settledWithin + request.tokens <= capWithin;
}

/** That the month of a person still has room for these, when they are written. */
export function withinCaps(fresh: readonly ReservationRequest[], caps: Caps): Condition[] {
  const room = (path: Path, most: number): Condition => {
    const atMost: Condition = { path, is: "<=", value: most };
    return most >= 0 ? { any: [{ absent: path }, atMost] } : atMost;
  };
  const conditions: Condition[] = [];
  if (caps.total !== undefined && fresh.length > 0) conditions.push(room(usagePath.committed, caps.total - sum(fresh)));
  for (const [within, tokens] of byWithin(fresh)) {
    const cap = caps.within.get(within);
    if (cap !== undefined) conditions.push(room(usagePath.within(within), cap - tokens));
  }
  return conditions;
}

/** Tokens by what they count in besides the person. */
export function byWithin(requests: readonly ReservationRequest[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { within, tokens } of requests) totals.set(within, (totals.get(within) ?? 0) + tokens);
  return totals;
}

/** Of tokens. */
export function sum(all: readonly { readonly tokens: number }[]): number {
  return total(all.map(({ tokens }) => tokens));
}

/** Of numbers. */
export function total(numbers: readonly number[]): number {
  return numbers.reduce((before, each) => before + each, 0);
}
