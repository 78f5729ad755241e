/** For another name, past its time, or of an authority nobody knows; the first two are by one that is known. */
export type WrongCertificate = "otherName" | "expired" | "untrusted";

/** What can go wrong with a mail server, to be asked for by a test. */
export type Fault =
  /** Instead of a greeting, `* BYE …`, and the connection ends. */
  | { readonly kind: "greetsWithBye"; readonly text?: string }
  /** The command is never answered; without a command, a connection that is never greeted. */
  | { readonly kind: "silent" }
  /** The command is not run; this is what follows its tag: `NO [UNAVAILABLE] Try later`. */
  | { readonly kind: "answers"; readonly line: string }
  /** Said before the command is run: `* OK [ALERT] …`. */
  | { readonly kind: "says"; readonly line: string }
  /** The connection is cut before the command is run. */
  | { readonly kind: "dropsBefore" }
  /** … half way through the first thing it answers. */
  | { readonly kind: "dropsDuring" }
  /** … when it has been run, before it is said to be done. */
  | { readonly kind: "dropsUnanswered" }
  /** Literals are announced longer or shorter by so many bytes than they are. */
  | { readonly kind: "literalLies"; readonly by: number }
  /** Whatever may be NIL in what FETCH answers is. */
  | { readonly kind: "nilEverywhere" }
  /** Somebody in between takes STARTTLS out of what the server can do, and out of what is asked. */
  | { readonly kind: "startTlsStripped" }
  /** STARTTLS and what is encrypted from the start show another certificate than they should. */
  | { readonly kind: "wrongCertificate"; readonly how: WrongCertificate }
  /** Every byte of what is sent takes its time. */
  | { readonly kind: "slow"; readonly bytesPerSecond: number }
  /** Somebody else takes these messages away just before the command is run; the newest one unless told. */
  | { readonly kind: "expunges"; readonly uids?: readonly number[] }
  /** The selected folder is made anew just before the command is run. */
  | { readonly kind: "resetsUidValidity" };

export type FaultKind = Fault["kind"];

export interface Arming {
  /** How often it strikes; for ever unless told. */
  readonly times?: number;
  /** Only this command, `UID FETCH` say; any unless told. */
  readonly command?: string;
}

/** Faults on request, settable while the server runs. */
export class Faults {
  readonly #armed = new Set<{ readonly fault: Fault; left: number; readonly command: string | undefined }>();
  readonly #struck = new Map<FaultKind, number>();

  /** @returns what disarms it */
  arm(fault: Fault, { times = Number.POSITIVE_INFINITY, command }: Arming = {}): () => void {
    const entry = { fault, left: times, command };
    this.#armed.add(entry);
    return () => this.#armed.delete(entry);
  }

  disarmAll(): void {
    this.#armed.clear();
  }

  /** Takes the first armed fault of a kind that strikes this command. */
  take<K extends FaultKind>(kind: K, command = ""): Extract<Fault, { kind: K }> | undefined {
    for (const entry of this.#armed) {
      const { fault } = entry;
      if (!isKind(fault, kind) || (entry.command !== undefined && entry.command !== command)) continue;
      entry.left -= 1;
      if (entry.left <= 0) this.#armed.delete(entry);
      this.#struck.set(kind, (this.#struck.get(kind) ?? 0) + 1);
      return fault;
    }
    return undefined;
  }

  /** How often faults of a kind have struck. */
  struck(kind: FaultKind): number {
    return this.#struck.get(kind) ?? 0;
  }
}

function isKind<K extends FaultKind>(fault: Fault, kind: K): fault is Extract<Fault, { kind: K }> {
  return fault.kind === kind;
}
