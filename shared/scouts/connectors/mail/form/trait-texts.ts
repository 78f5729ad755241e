import type { MailTrait } from "../../../../../events/sources/mail-traits.ts";

/** Traits in the words a model reads. */
export const traitTexts: Readonly<Record<MailTrait, string>> = {
  answers: "answers an earlier mail",
  picture: "shows pictures and hardly a word",
  own_links: "links to its sender's site alone",
  foreign_links: "has few links and none to its sender's site",
  rare_host: "links to a site with a rare ending",
  borrowed_host: "links to a free site or through a link shortener",
  number_host: "links to a number and no name",
  odd_link: "links with a user name or port",
  asks_input: "asks for input within the mail",
  urgent: "is marked as urgent",
  no_recipient: "names no recipient",
  free_reply: "wants answers at a free mailbox elsewhere",
  home_sender: "was handed in from a private connection",
  failed_check: "failed the receiving server's check of its sender",
  unsigned: "bears no valid signature",
  undelivered: "reports that a mail was not delivered",
};

/** Of a mail whose form is known and has none of them. */
export const plainForm = "nothing unusual";
