import { newSessionKey, SessionStore } from "../../shared/devices/session-store.ts";
import { once } from "../once.ts";
import { newId } from "./ids.ts";
import { sessionSealer } from "./keys.ts";
import { sessions } from "./tables.ts";

export const sessionStore = once(() => new SessionStore(sessions(), sessionSealer, { newId, newKey: newSessionKey }));
