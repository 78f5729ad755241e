import type { Requests } from "../bench/pipeline/requests.ts";

/** AWS requests of a mail, counted in a run of the local home, which makes the same requests of the same SDK clients. */
export interface Figures {
  /** Of the mail of the burst. */
  readonly relevantShare: number;
  /** An item of a burst: everything arrives at once, and batches are full. */
  readonly burst: Requests;
  /** A relevant mail that arrives alone in an idle system: nothing to share anything with. */
  readonly alone: Requests;
  /** A sync that finds nothing, as a timer causes it; counted on one a person asked for, whose requests are in it. */
  readonly emptySync: Requests;
  /** The same of a mailbox at a mail server, which tells nobody of news: a mail that comes alone is found by a look of its own. */
  readonly imap: Pick<Figures, "burst" | "alone" | "emptySync">;
  /** An item each of people who have nothing in common and no device there: one after another, and sharing batches. */
  readonly strangers: { readonly alone: Requests; readonly together: Requests };
}
