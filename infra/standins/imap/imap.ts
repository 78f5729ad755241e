import type { Faults } from "./faults.ts";
import type { Account } from "./store/account.ts";

/** Whoever may sign in. */
export interface ImapUser {
  readonly user: string;
  readonly password: string;
  /** Bearer tokens that are good for XOAUTH2 now; a test takes them away by changing the set. */
  readonly accessTokens?: ReadonlySet<string>;
}

/** What a server can do beside IMAP4rev1; old ones lack some. */
export const extensions = [
  "LITERAL+",
  "SASL-IR",
  "ID",
  "ENABLE",
  "IDLE",
  "NAMESPACE",
  "UIDPLUS",
  "MOVE",
  "UNSELECT",
  "SPECIAL-USE",
  "CONDSTORE",
  "QRESYNC",
] as const;
export type Extension = (typeof extensions)[number];

export interface ImapOptions {
  /** Ada with the password `secret` unless told. */
  readonly users?: readonly ImapUser[];
  /** Ports on 127.0.0.1; free ones unless told. */
  readonly port?: number;
  readonly tlsPort?: number;
  /** Extensions it does not have. */
  readonly without?: readonly Extension[];
  /** Whether passwords are taken over a connection that is not encrypted. */
  readonly plainSignIn?: boolean;
  /** So many connections at once; further ones are sent away. */
  readonly maxConnections?: number;
  readonly clock?: () => number;
}

/** A command as it came, for a test to see what was asked and over what. */
export interface SeenCommand {
  /** In upper case, `UID FETCH`. */
  readonly name: string;
  readonly isEncrypted: boolean;
}

export interface Imap {
  readonly host: "127.0.0.1";
  /** Where connections begin in plain text and may go on encrypted (STARTTLS). */
  readonly port: number;
  /** Where they are encrypted from the start. */
  readonly tlsPort: number;
  /** What to trust, PEM: the server's own certificate, for `localhost` and `127.0.0.1`, and two that are wrong otherwise. */
  readonly ca: string;
  readonly faults: Faults;
  /** The folders of a user; the first one's unless told. */
  account(user?: string): Account;
  /** Connections that are open now. */
  connections(): number;
  /** Every command so far, in order. */
  seen(): readonly SeenCommand[];
  /** Resolves when a command has come so many times in all. */
  whenSeen(name: string, times?: number): Promise<void>;
  /** Resolves when no connection is open. */
  whenUnconnected(): Promise<void>;
  /** Cuts every connection, as a server that is restarted does. */
  cutAll(): void;
  close(): Promise<void>;
}
