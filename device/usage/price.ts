import * as z from "zod";
import { DeviceError } from "../errors.ts";
import type { DeviceStore } from "../store/open.ts";

/**
 * What tokens cost the person. A home counts what goes in and what comes out as one number, so this is one price for both: what a
 * bill divided by its tokens comes to.
 */
export const price = z.object({
  /** Of a million tokens. */
  perMillion: z.number().positive().max(1_000_000),
  /** ISO 4217: EUR. */
  currency: z.string().regex(/^[A-Z]{3}$/),
});
export type Price = z.infer<typeof price>;

const name = "usage.price";

/** Undefined where nobody has said one. */
export function priceOf({ cursors }: DeviceStore): Price | undefined {
  const value = cursors.get(name)?.value;
  return value === undefined ? undefined : price.safeParse(JSON.parse(value)).data;
}

/** @param wanted null: no price is known any more @throws DeviceError `value_invalid` */
export function setPrice({ cursors }: DeviceStore, wanted: Price | null): void {
  if (wanted === null) {
    cursors.clear(name);
    return;
  }
  const { data } = price.safeParse(wanted);
  if (data === undefined) throw new DeviceError("value_invalid");
  cursors.set(name, JSON.stringify(data));
}

/** What tokens cost, in the price's currency; not rounded. */
export const costOf = (tokens: number, { perMillion }: Price): number => (tokens / 1_000_000) * perMillion;

/** What some tokens came to. */
export interface Charge {
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** What tokens came to at the price the person has said; null where nobody has said one. */
export function chargeOf(store: DeviceStore, tokens: number): Charge | null {
  const known = priceOf(store);
  return known === undefined ? null : { amount: costOf(tokens, known), currency: known.currency };
}
