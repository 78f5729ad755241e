import type { ErrorCode } from "../../events/error-kinds.ts";
import { BreakerView } from "../../shared/breaker/breaker-view.ts";
import { type AskingBreaker, type BreakerPorts, ModelBreaker } from "../../shared/breaker/model-breaker.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { modelFailureClass } from "../../shared/llm/model-failure-class.ts";
import type { Item, Key } from "../../shared/ports/table.ts";
import type { MemoryTable } from "../memory/table.ts";
import type { Outages } from "./outage.ts";
import type { Process } from "./process.ts";
import type { Simulation } from "./simulation.ts";

/** A process is an environment of its own here, so what it knows of the breaker is fresh; it can also hurry the probe. */
export class SimulatedBreaker extends ModelBreaker {
  readonly #view: BreakerView;

  constructor(ports: BreakerPorts) {
    super(ports);
    this.#view = new BreakerView(ports);
  }

  requestProbe(): Promise<void> {
    return this.#view.requestProbe();
  }
}

/** Whoever asks lives two minutes at most; clocks differ by five seconds each. */
const longestWorkMs = 150_000;
/** Probe and answer, and what a write may take. */
const probeWrittenMs = 120_000;

interface Watched {
  readonly sim: Simulation;
  readonly outages: Outages;
  readonly ledger: { readonly items: Pick<MemoryTable, "peek"> };
}

/** What must hold of the breaker, whoever asks the model. */
export class BreakerInvariants {
  readonly #watched: () => Watched;
  readonly #couldNotLook = new WeakSet<Process>();

  /** @param watched asked for later: the world it is part of is being made */
  constructor(watched: () => Watched) {
    this.#watched = watched;
  }

  /** Only what the fixed probe was told opens it: nothing that was to be judged does. */
  written({ pk }: Key, before: Item | undefined, after: Item | undefined): void {
    const code = after?.["code"];
    if (pk !== ledgerKey.breaker().pk || code === undefined || before?.["code"] !== undefined) return;
    const { sim, outages } = this.#watched();
    const recent = (withinMs: number) => outages.refusedProbes.filter(({ atMs }) => sim.nowMs - atMs < withinMs);
    if (!recent(probeWrittenMs).some((each) => each.code === code)) {
      sim.violate("only the probe opens the breaker", String(code));
    }
    const isBusy = modelFailureClass(code as ErrorCode) !== "configuration";
    // A tick that is late or dies makes it longer: what counts is all since the last answer.
    const since = before?.["failingSince"];
    const lasting = typeof since === "number" ? recent(sim.nowMs - since + probeWrittenMs).length : 0;
    if (isBusy && lasting < 3) sim.violate("a busy model is given time", `${code} after ${lasting} probes`);
  }

  /** Something is asked for while the breaker stands open, and has for longer than anybody is at it. */
  asked(what: string, process: Process): void {
    // A table that refuses to say is no reason to stand still: see shared/breaker/breaker-view.ts.
    if (this.#couldNotLook.has(process)) return;
    const { sim, ledger } = this.#watched();
    const since = ledger.items.peek(ledgerKey.breaker())?.["since"];
    if (typeof since !== "number" || sim.nowMs - since < longestWorkMs) return;
    sim.violate("nothing is listed or asked while the model cannot be asked", what);
  }

  logged(code: string, process: Process): void {
    if (code === "breaker_not_read") this.#couldNotLook.add(process);
  }

  /** Why it is open; empty when it is not. */
  open(): string[] {
    const code = this.#watched().ledger.items.peek(ledgerKey.breaker())?.["code"];
    return code === undefined ? [] : [`the breaker is open: ${code}`];
  }
}

/** A breaker that nobody looks at: a way to break a domain on purpose. */
export function ignoredBreaker(breaker: AskingBreaker): AskingBreaker {
  return { current: async () => undefined, blame: (...failed) => breaker.blame(...failed) };
}
