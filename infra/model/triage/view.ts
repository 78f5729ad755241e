/** What the triage model sees of a mail. */
export interface MailView {
  readonly subject: string;
  /** `Name <address>`. */
  readonly sender: string;
  /** The first `shownCharacters.letter` of readable text. */
  readonly body: string;
}

/** How much readable text triage sends to the model (2-scouts, "Triage worker"). */
export const maxBodyCharacters = 2_000;
