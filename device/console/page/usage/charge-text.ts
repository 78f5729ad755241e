import type { Charge } from "../../../usage/price.ts";

/** What one answer came to: mostly less than the smallest coin. */
export const chargeText = ({ amount, currency }: Charge, language: string): string =>
  new Intl.NumberFormat(language, { style: "currency", currency, maximumSignificantDigits: 2 }).format(amount);
