import * as z from "zod";
import { exactError, type SentenceValues } from "../exact-sentences.ts";
import type { DeviceStore } from "../store/open.ts";

const mostPerMillion = 1_000_000;

/**
 * What tokens cost the person. A home counts what goes in and what comes out as one number, so this is one price for both: what a
 * bill divided by its tokens comes to.
 */
const price = z.object({
  /** Of a million tokens. */
  perMillion: z.number().positive().max(mostPerMillion),
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

/** A price as somebody types it: the number with a point or a comma, the currency in letters of any case. */
export interface TypedPrice {
  readonly perMillion: string;
  readonly currency: string;
}

/** Keeps a price; null: none is known any more. @throws DeviceError `value_invalid`, naming the field */
export function setPrice({ cursors }: DeviceStore, typed: TypedPrice | null): Price | null {
  if (typed === null) {
    cursors.clear(name);
    return null;
  }
  const perMillion = price.shape.perMillion.safeParse(Number(typed.perMillion.trim().replace(",", ".")));
  const currency = price.shape.currency.safeParse(typed.currency.trim().toUpperCase());
  if (!perMillion.success) throw refused("perMillion", { most: mostPerMillion });
  if (!currency.success) throw refused("currency", {});
  const kept: Price = { perMillion: perMillion.data, currency: currency.data };
  cursors.set(name, JSON.stringify(kept));
  return kept;
}

const refused = (field: keyof Price, values: SentenceValues) =>
  exactError("value_invalid", field, values, { data: { field } });

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
