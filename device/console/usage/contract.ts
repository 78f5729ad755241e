import * as z from "zod";
import { price } from "../../usage/price.ts";

/** What a million tokens cost; null where it is not to be known any more. */
export const priceRequest = z.strictObject({ price: price.nullable() });
