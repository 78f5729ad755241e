import { monotonicFactory } from "ulidx";
import { newSessionKey } from "../../shared/devices/session-store.ts";

/** Ids for what a test composes itself. */
export const newId = monotonicFactory();

/** What sessions of a test are made with. */
export const chance = { newId, newKey: newSessionKey };
