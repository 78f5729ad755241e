/** A message in a folder. Its bytes are made when somebody asks: a folder of 200,000 holds none of them. */
export interface Message {
  readonly uid: number;
  readonly internalDateMs: number;
  /** The bytes as they came; the same ones at every call. */
  readonly raw: () => Buffer;
  flags: ReadonlySet<string>;
  /** Of its last change (RFC 7162). */
  modseq: number;
  isExpunged: boolean;
}

/** What is put into a folder. */
export interface NewMessage {
  readonly raw: Buffer | (() => Buffer);
  readonly internalDateMs?: number;
  readonly flags?: Iterable<string>;
}

/** Flags of the system are written one way, keywords as they come (RFC 3501 §2.3.2). */
const systemFlags = ["\\Seen", "\\Answered", "\\Flagged", "\\Deleted", "\\Draft"] as const;

/** A flag in the one spelling it is kept in: case counts for keywords, and for the system's flags it does not. */
export const flagSpelled = (flag: string): string =>
  systemFlags.find((known) => known.toLowerCase() === flag.toLowerCase()) ?? flag;
