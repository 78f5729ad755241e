/** What the triage model sees of a mail. */
export interface MailView {
  readonly subject: string;
  /** `Name <address>`. */
  readonly sender: string;
  /** The first `shownCharacters.letter` of readable text. */
  readonly body: string;
}
