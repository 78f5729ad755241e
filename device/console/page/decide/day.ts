/** Whether a date is a day, `2026-11-27`, and no time: as device/work/dates/due-day.ts tells them apart. */
export const isDay = (value: string): boolean => !value.includes("T");
