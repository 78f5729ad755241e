import type { MailTrait } from "../../../events/sources/mail-traits.ts";

/** What the triage model sees of a mail. */
export interface MailView {
  readonly subject: string;
  /** `Name <address>`. */
  readonly sender: string;
  /** The first `shownCharacters.letter` of readable text. */
  readonly body: string;
  /** What the mail's header says beside them, where the source knows it. */
  readonly header?: HeaderFacts;
  /** What its form tells, where the source knows it. */
  readonly traits?: readonly MailTrait[];
}

/** The prompt's other lines about an item (shared/scouts/triage/triage-prompt.ts). */
export interface HeaderFacts {
  /** How it came to the reader. */
  readonly addressed: "reader" | "list" | "many" | "unknown";
  /** It bears the id of a mailing list. */
  readonly hasListId: boolean;
  /** Sent by a program, as its header says. */
  readonly isAutomatic: boolean;
  /** Names of attached files. */
  readonly attachments: string;
}
