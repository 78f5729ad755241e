import type { Folder } from "../store/folder.ts";
import type { Message } from "../store/message.ts";
import { includes, parseSequenceSet, type SequenceSet, writeSequenceSet } from "../wire/sequence-set.ts";
import { SyntaxFault } from "../wire/values.ts";

/**
 * A folder as one connection knows it: message numbers are places in its view, which changes only when the client has been
 * told (RFC 3501 §7.4.1).
 */
export class Selected {
  readonly folder: Folder;
  readonly isReadOnly: boolean;
  readonly #uidValidity: number;
  #view: Message[];
  /** Changes up to this one are known to the client, and of single messages further ones: those it has made itself. */
  #toldModseq: number;
  readonly #told = new WeakMap<Message, number>();

  constructor(folder: Folder, isReadOnly: boolean) {
    this.folder = folder;
    this.isReadOnly = isReadOnly;
    this.#uidValidity = folder.uidValidity;
    this.#view = [...folder.messages];
    this.#toldModseq = folder.highestModseq;
  }

  get view(): readonly Message[] {
    return this.#view;
  }

  /** Whether the folder was made anew: nothing the client knows is true any more. */
  get isLost(): boolean {
    return this.folder.uidValidity !== this.#uidValidity;
  }

  /** Messages of a set that are still there, with their numbers. @throws SyntaxFault */
  chosen(set: string, byUid: boolean): { number: number; message: Message }[] {
    const numberAt = byUid ? (place: number) => this.#view[place]?.uid ?? 0 : (place: number) => place + 1;
    return this.#parse(set, byUid).flatMap(([from, to]) => {
      const first = firstPlace(this.#view.length, (place) => numberAt(place) >= from);
      const end = firstPlace(this.#view.length, (place) => numberAt(place) > to);
      return this.#view.slice(first, end).flatMap((message, offset) => {
        return message.isExpunged ? [] : [{ number: first + offset + 1, message }];
      });
    });
  }

  /** Whether a set of numbers names a message that somebody else has taken away. @throws SyntaxFault */
  namesExpunged(set: string): boolean {
    const ranges = this.#parse(set, false);
    return this.#view.some((message, index) => message.isExpunged && includes(ranges, index + 1));
  }

  #parse(set: string, byUid: boolean): SequenceSet {
    const last = byUid ? (this.#view.at(-1)?.uid ?? 0) : this.#view.length;
    const parsed = parseSequenceSet(set, last);
    if (parsed === undefined) throw new SyntaxFault("That is no set of numbers");
    return parsed;
  }

  /**
   * What has changed since the client was last told, as untagged answers.
   *
   * @param mayExpunge whether numbers may change now
   * @param shown.vanished whether the client wants UIDs of what is gone (QRESYNC)
   * @param shown.modseq whether it wants modifications (CONDSTORE)
   */
  news(mayExpunge: boolean, shown: { vanished: boolean; modseq: boolean }): string[] {
    if (this.isLost) return [];
    const lines = mayExpunge ? this.#gone(shown.vanished) : [];
    if (this.folder.highestModseq === this.#toldModseq) return lines;
    const known = this.#view.length;
    for (const [index, message] of this.#view.entries()) {
      const { isExpunged, modseq, flags, uid } = message;
      if (isExpunged || modseq <= this.#toldModseq || this.#told.get(message) === modseq) continue;
      const facts = [`UID ${uid}`, ...(shown.modseq ? [`MODSEQ (${modseq})`] : []), `FLAGS (${[...flags].join(" ")})`];
      lines.push(`* ${index + 1} FETCH (${facts.join(" ")})`);
    }
    const lastUid = this.#view.at(-1)?.uid ?? 0;
    for (const message of this.folder.messages) if (message.uid > lastUid) this.#view.push(message);
    if (this.#view.length > known) lines.push(`* ${this.#view.length} EXISTS`, "* 0 RECENT");
    this.#toldModseq = this.folder.highestModseq;
    return lines;
  }

  /** The client knows the flags a message has now: it has set them, or has just been shown them. */
  noteTold(message: Message): void {
    this.#told.set(message, message.modseq);
  }

  #gone(vanished: boolean): string[] {
    if (!this.#view.some(({ isExpunged }) => isExpunged)) return [];
    // From the end, so that the numbers of those before stay what they are.
    const gone = this.#view.flatMap(({ isExpunged, uid }, index) => (isExpunged ? [{ number: index + 1, uid }] : []));
    this.#view = this.#view.filter(({ isExpunged }) => !isExpunged);
    if (vanished) return [`* VANISHED ${writeSequenceSet(gone.map(({ uid }) => uid))}`];
    return gone.reverse().map(({ number }) => `* ${number} EXPUNGE`);
  }
}

/** The first of `places` ascending places that `holds`, or their number; a folder of 200,000 messages is not walked for one. */
function firstPlace(places: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, places];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
