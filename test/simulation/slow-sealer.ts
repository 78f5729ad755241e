import type { KeyRing } from "../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import type { Transient } from "../../shared/privacy/transient.ts";
import type { Process } from "./process.ts";

/** The sealer, with its work as a step of the simulation: cryptography runs on threads of its own. */
export class SlowSealer extends RingSealer {
  readonly #process: Process;

  constructor(ring: KeyRing, process: Process) {
    super(ring);
    this.#process = process;
  }

  override seal(content: Transient<string>, context: readonly string[]): Promise<string> {
    return this.#process.call("seal", () => super.seal(content, context));
  }

  override open(sealed: string, context: readonly string[]): Promise<Transient<string>> {
    return this.#process.call("open", () => super.open(sealed, context));
  }
}
