export const tokensText = (tokens: number, language: string): string => new Intl.NumberFormat(language).format(tokens);

/** In as few letters as there is room for: 1.2M. */
export const shortText = (tokens: number, language: string): string =>
  new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(tokens);

export const shareText = (share: number, language: string): string =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(share);

export const costText = (cost: number, currency: string, language: string): string =>
  new Intl.NumberFormat(language, { style: "currency", currency }).format(cost);

/** `2026-11` in words. */
export const monthText = (month: string, language: string, width: "short" | "long"): string =>
  new Intl.DateTimeFormat(language, {
    month: width,
    ...(width === "long" && { year: "numeric" }),
    timeZone: "UTC",
  }).format(new Date(`${month}-01T00:00:00Z`));
