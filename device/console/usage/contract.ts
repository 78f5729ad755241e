import * as z from "zod";

const text = z.string().max(100);

/** What a million tokens cost, as it is typed; null where it is not to be known any more. */
export const priceRequest = z.strictObject({
  price: z.strictObject({ perMillion: text, currency: text }).nullable(),
});
