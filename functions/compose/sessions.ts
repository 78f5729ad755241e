import { newSessionKey, SessionStore } from "../../shared/devices/session-store.ts";
import { newId } from "../ids.ts";
import { once } from "../once.ts";
import { sessionSealer } from "./keys.ts";
import { sessions } from "./tables.ts";

export const sessionStore = once(() => new SessionStore(sessions(), sessionSealer, { newId, newKey: newSessionKey }));
