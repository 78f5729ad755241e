/** An IMAP server of somebody else's, started for a test, with one mailbox. */
export interface ImapPeer {
  readonly name: string;
  readonly host: string;
  /** Port that speaks STARTTLS. */
  readonly plain: number;
  /** Port that is encrypted from the first byte. */
  readonly encrypted: number;
  /** Who signed its certificate, PEM. */
  readonly ca: string;
  readonly user: string;
  readonly password: string;
  /** Numbers INBOX anew, where that can be asked for. */
  renumber?(): Promise<void>;
  setPassword(word: string): Promise<void>;
  /** Has it answer a command with a line of ours, where it is ours. @returns what ends that */
  answers?(line: string, command: string): () => void;
  /** What it has written about its work. */
  log(): Promise<string>;
  close(): Promise<void>;
}
