/** A number of tokens in full, such as 1,234,567. */
export const tokensText = (tokens: number, language: string): string => new Intl.NumberFormat(language).format(tokens);

/** In as few letters as there is room for: 1.2M. */
export const shortText = (tokens: number, language: string): string =>
  new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(tokens);

/** A share in per cent with one digit after the point at most. @param share 0 to 1, or more */
export const shareText = (share: number, language: string): string =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(share);

/** An amount of money. @param currency its code, such as `EUR` (ISO 4217) @throws RangeError for anything else */
export const costText = (cost: number, currency: string, language: string): string =>
  new Intl.NumberFormat(language, { style: "currency", currency }).format(cost);

/** `2026-11` in words. */
export const monthText = (month: string, language: string, width: "short" | "long"): string =>
  new Intl.DateTimeFormat(language, {
    month: width,
    ...(width === "long" && { year: "numeric" }),
    timeZone: "UTC",
  }).format(new Date(`${month}-01T00:00:00Z`));
