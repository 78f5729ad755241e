import { flagSpelled, type Message, type NewMessage } from "./message.ts";

/** What a folder is for (RFC 6154), in the spelling of LIST. */
export type SpecialUse = "\\All" | "\\Archive" | "\\Drafts" | "\\Flagged" | "\\Junk" | "\\Sent" | "\\Trash";

const noFlags: ReadonlySet<string> = new Set();

/**
 * A mailbox of an account, in the order of its UIDs. Every change has a number (`highestModseq`), and what was expunged is
 * remembered with it (RFC 7162), until that is forgotten on purpose.
 */
export class Folder {
  readonly name: string;
  readonly use: SpecialUse | undefined;
  readonly #clock: () => number;
  readonly #listeners = new Set<() => void>();
  #messages: Message[] = [];
  #expunged: { uid: number; modseq: number }[] = [];
  /** What was expunged up to this modification is not remembered. */
  #forgottenUpTo = 0;
  #uidValidity: number;
  #uidNext = 1;
  #highestModseq = 1;

  constructor(name: string, use: SpecialUse | undefined, uidValidity: number, clock: () => number) {
    this.name = name;
    this.use = use;
    this.#uidValidity = uidValidity;
    this.#clock = clock;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }
  get uidValidity(): number {
    return this.#uidValidity;
  }
  get uidNext(): number {
    return this.#uidNext;
  }
  get highestModseq(): number {
    return this.#highestModseq;
  }

  /** @returns what stops it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @returns its UID */
  deliver({ raw, internalDateMs = this.#clock(), flags = [] }: NewMessage): number {
    const uid = this.#uidNext;
    this.#uidNext += 1;
    this.#highestModseq += 1;
    const set = new Set([...flags].map(flagSpelled));
    this.#messages.push({
      uid,
      internalDateMs,
      raw: Buffer.isBuffer(raw) ? () => raw : raw,
      flags: set.size === 0 ? noFlags : set,
      modseq: this.#highestModseq,
      isExpunged: false,
    });
    this.#changed();
    return uid;
  }

  /**
   * So many messages at once, of which none is made before it is asked for.
   *
   * @param cameAtMs when each came; now, unless told
   */
  fill(count: number, make: (uid: number) => Buffer, cameAtMs?: (uid: number) => number): void {
    const nowMs = this.#clock();
    this.#highestModseq += 1;
    const modseq = this.#highestModseq;
    for (let index = 0; index < count; index += 1) {
      const uid = this.#uidNext;
      this.#uidNext += 1;
      const internalDateMs = cameAtMs?.(uid) ?? nowMs;
      this.#messages.push({ uid, internalDateMs, raw: () => make(uid), flags: noFlags, modseq, isExpunged: false });
    }
    this.#changed();
  }

  find(uid: number): Message | undefined {
    let [low, high] = [0, this.#messages.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#messages[middle]?.uid ?? 0) < uid) low = middle + 1;
      else high = middle;
    }
    const found = this.#messages[low];
    return found?.uid === uid ? found : undefined;
  }

  setFlags(message: Message, flags: Iterable<string>): void {
    const next = new Set([...flags].map(flagSpelled));
    if (next.size === message.flags.size && next.isSubsetOf(message.flags)) return;
    this.#highestModseq += 1;
    message.flags = next.size === 0 ? noFlags : next;
    message.modseq = this.#highestModseq;
    this.#changed();
  }

  /** Takes messages away for good; those that are not there are passed over. */
  expunge(uids: Iterable<number>): void {
    const gone = new Set(uids);
    const found = this.#messages.filter(({ uid }) => gone.has(uid));
    if (found.length === 0) return;
    this.#highestModseq += 1;
    for (const message of found) {
      message.isExpunged = true;
      this.#expunged.push({ uid: message.uid, modseq: this.#highestModseq });
    }
    this.#messages = this.#messages.filter(({ isExpunged }) => !isExpunged);
    this.#changed();
  }

  /** UIDs that were expunged after a modification; undefined when that has been forgotten. */
  expungedSince(modseq: number): readonly number[] | undefined {
    const isKnown = this.#forgottenUpTo <= modseq;
    return isKnown ? this.#expunged.filter((each) => each.modseq > modseq).map(({ uid }) => uid) : undefined;
  }

  /** What was expunged is not told by modification any more, as servers do to save room. */
  forgetExpunged(): void {
    this.#forgottenUpTo = this.#highestModseq;
    this.#expunged = [];
  }

  /** The folder was made anew, or lost its index: the same messages under other UIDs (RFC 3501 §2.3.1.1). */
  resetUidValidity(): void {
    this.#uidValidity += 1;
    this.#uidNext = 1;
    this.#expunged = [];
    const before = this.#messages;
    for (const message of before) message.isExpunged = true;
    this.#messages = before.map(({ raw, internalDateMs, flags }) => {
      this.#highestModseq += 1;
      const uid = this.#uidNext;
      this.#uidNext += 1;
      return { uid, internalDateMs, raw, flags, modseq: this.#highestModseq, isExpunged: false };
    });
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
