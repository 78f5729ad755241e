const minuteMs = 60_000;
const hourMinutes = 60;
const dayHours = 24;

/** How often a source is asked, as the key of a text and its number: minutes below two hours, hours below two days. */
export function polling(everyMs: number): [key: string, options: { readonly count: number }] {
  const minutes = Math.max(1, Math.round(everyMs / minuteMs));
  if (minutes < 2 * hourMinutes) return ["health.polling", { count: minutes }];
  const hours = Math.round(minutes / hourMinutes);
  if (hours < 2 * dayHours) return ["health.pollingHours", { count: hours }];
  return ["health.pollingDays", { count: Math.round(hours / dayHours) }];
}
