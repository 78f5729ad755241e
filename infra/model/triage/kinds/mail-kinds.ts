/** What sort of mail it is; the last three are unwanted. */
export const mailKinds = [
  "personal",
  "list",
  "newsletter",
  "transactional",
  "advertising",
  "phishing",
  "fraud",
] as const;
export type MailKind = (typeof mailKinds)[number];

/** Kinds of mail that people want, and kinds that nobody asked for. */
export const wantedKinds: readonly MailKind[] = ["personal", "list", "newsletter", "transactional"];
export const unwantedKinds: readonly MailKind[] = ["advertising", "phishing", "fraud"];
