/** What may stand between `my` and `mails`: `my new mails`, `any unread e-mail`. */
const english = {
  which: "(?:my|any|new|unread|latest|last|recent|today'?s|this (?:morning|week)'?s)",
  mail: "(?:e-?mails?|mails?)",
  /** Another noun makes it something else: `the latest email campaign`. */
  end: "(?=\\s*(?:$|[.,;:!?)]|\\b(?:from|about|in|of|on|to|today|yesterday|this|that|which|who|and|or|i|is|are|was|were|have|has|do|did|need|since|waiting)\\b))",
} as const;

/** Phrases by which people mean the mail that arrives for them, by language. */
const phrases: readonly RegExp[] = [
  new RegExp(`\\b${english.which}\\s+(?:\\w+\\s+)?${english.mail}\\b${english.end}`, "iu"),
  new RegExp(`\\b(?:have|got|get)\\s+(?:\\w+\\s+)?${english.mail}\\b${english.end}`, "iu"),
  /\b(?:my|the)\s+(?:inbox|mailbox)\b/iu,
  /\bwho\s+(?:has\s+)?(?:e-?mailed|mailed)\s+me\b/iu,
  new RegExp(`\\b(?:write|wrote|written)\\s+to\\s+me\\b${english.end}`, "iu"),
  /\b(?:mein(?:e[mnrs]?)?|neue[nr]?|ungelesene[nr]?|letzte[nr]?)\s+(?:e-?)?mails?\b/iu,
  /\b(?:posteingang|postfach)\b/iu,
  /\bmes\s+(?:e-?mails|mails|courriels)\b|boîte de réception/iu,
  /\bmis\s+(?:e-?mails|correos)\b|bandeja de entrada/iu,
];

/** Whether a question is about the mail that waits for the person, as far as its words say so plainly. */
export function asksOfMail(message: string): boolean {
  const text = message.normalize("NFC").replaceAll("’", "'");
  return phrases.some((phrase) => phrase.test(text));
}
