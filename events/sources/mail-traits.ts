/**
 * What the form of a mail tells of it and its text does not: how it came, where its links lead. Codes and not content: none repeats
 * a word of the mail.
 */
export const mailTraits = [
  /** It names a mail it answers (RFC 5322, In-Reply-To and References). */
  "answers",
  /** Pictures, a link and hardly a word. */
  "picture",
  /** All its links lead to its sender's site. */
  "own_links",
  /** It has few links, and none leads there; of what is not sent to many, by who has a site. */
  "foreign_links",
  /** A link to a site whose ending costs next to nothing. */
  "rare_host",
  /** A link to a site anybody may put up within minutes, or through a shortener. */
  "borrowed_host",
  /** A link to an address of numbers. */
  "number_host",
  /** A link with a user name or a port. */
  "odd_link",
  /** Boxes to type into within the mail. */
  "asks_input",
  /** Marked as urgent (Importance, X-Priority). */
  "urgent",
  /** To and Cc name nobody. */
  "no_recipient",
  /** Answers go to a free mailbox at another provider than the sender's. */
  "free_reply",
  /** It came to the reader's servers straight from a private connection. */
  "home_sender",
  /** The server that took it in found that its sender is not who it says (RFC 8601). */
  "failed_check",
  /** That server looked for a signature (RFC 6376) and found none that holds. */
  "unsigned",
  /** A mail system reports that a mail was not delivered (RFC 3464); what it quotes is another's. */
  "undelivered",
] as const;

export type MailTrait = (typeof mailTraits)[number];
