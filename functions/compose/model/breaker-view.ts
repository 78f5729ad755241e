import { BreakerView } from "../../../shared/breaker/breaker-view.ts";
import { systemClock } from "../../../shared/ports/clock.ts";
import { log } from "../../log.ts";
import { once } from "../../once.ts";
import { ledger } from "../tables.ts";

/** Whether the model can be asked, for functions that do not ask it and have no key for it. Kept for the environment's life. */
export const breakerView = once(() => new BreakerView({ ledger: ledger(), clock: systemClock, log }));
