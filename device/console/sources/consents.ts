import { randomBytes } from "node:crypto";
import type { DeviceId } from "../../../events/ids.ts";
import { homeFolderOf } from "../../connect/devices/home-folder.ts";
import { consentAtHome } from "../../connect/local-home.ts";
import { DeviceError } from "../../errors.ts";
import type { Consent } from "../../sources/consent.ts";
import type { Connected, Connecting } from "./contract.ts";

/** A person may take this long to consent; the cloud waits no longer either. */
const consentMs = 600_000;
/** Nobody connects more sources at once; whoever is first gives way. */
const mostAtOnce = 20;

interface Pending {
  readonly outcome: Promise<Connected>;
  readonly abort: AbortController;
}

/**
 * Sources that are being connected. A consent is given on a page of the source's own, in another tab: the tab that asked
 * is told the page's address, and waits for the outcome by an id.
 */
export class Consents {
  readonly #dataFolder: string;
  readonly #deviceId: () => DeviceId;
  readonly #pending = new Map<string, Pending>();

  constructor(dataFolder: string, deviceId: () => DeviceId) {
    this.#dataFolder = dataFolder;
    this.#deviceId = deviceId;
  }

  /** Begins to connect. Resolves when that is done, or when the person has to consent first. @throws whatever `work` does */
  async begin(work: (consent: Consent) => Promise<Connected>): Promise<Connecting> {
    const id = randomBytes(12).toString("base64url");
    const abort = new AbortController();
    const page = Promise.withResolvers<string>();
    const outcome = work({
      deviceId: this.#deviceId(),
      signal: AbortSignal.any([abort.signal, AbortSignal.timeout(consentMs)]),
      openConsent: async (url) => {
        // The page of a local home's own mailbox is answered here.
        if (!(await consentAtHome(homeFolderOf(this.#dataFolder), url))) page.resolve(url);
      },
    });
    // Whoever asks for the outcome hears of a failure; nobody may be there yet.
    outcome.catch(() => {});
    const asked = page.promise.then((url) => ({ status: "asked", id, url }) as const);
    const done = outcome.then((connected) => ({ status: "done", connected }) as const);
    const first = await Promise.race([done, asked]);
    if (first.status === "asked") this.#keep(id, { outcome, abort });
    return first;
  }

  /** What came of it. @throws DeviceError `consent_refused`, `consent_abandoned` (also when nobody knows the id); ScoutsError */
  async outcome(id: string): Promise<Connected> {
    const pending = this.#pending.get(id);
    if (pending === undefined) throw new DeviceError("consent_abandoned");
    return pending.outcome;
  }

  /** Waits for a person no more. */
  cancel(id: string): void {
    this.#pending.get(id)?.abort.abort();
    this.#pending.delete(id);
  }

  close(): void {
    for (const id of [...this.#pending.keys()]) this.cancel(id);
  }

  #keep(id: string, pending: Pending): void {
    const [oldest] = this.#pending.keys();
    if (this.#pending.size >= mostAtOnce && oldest !== undefined) this.cancel(oldest);
    this.#pending.set(id, pending);
  }
}
