import { ulid } from "ulidx";
import { newSessionKey } from "../../shared/devices/session-store.ts";

/**
 * Ids of a run, by its clock and its chance (globals.ts). None of one factory for all runs: a monotonic one never goes
 * back, and would carry the time of one run into the next.
 */
export const newId = (): string => ulid();

/** What sessions of a run are made with. */
export const chance = { newId, newKey: newSessionKey };
