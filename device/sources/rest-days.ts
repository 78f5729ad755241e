import { longestRestDays, usualRestDays } from "../../events/http/scouts.ts";
import { exactError } from "../exact-sentences.ts";

/**
 * After how many days without a device a scout is to rest, as a person has typed it.
 *
 * @returns null for the usual ones, where nothing is typed
 * @throws DeviceError `usage`
 */
export function restDaysOf(typed: string): number | null {
  const text = typed.trim();
  if (text === "") return null;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= longestRestDays) return days;
  const values = { longest: longestRestDays, usual: usualRestDays };
  throw exactError("usage", "pauseAfterDays", values, { data: { field: "pauseAfterDays" } });
}
