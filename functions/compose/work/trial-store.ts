import { TrialStore } from "../../../shared/scouts/trial/trial-store.ts";
import { once } from "../../once.ts";
import { sessions } from "../tables.ts";

export const trialStore = once(() => new TrialStore(sessions()));
