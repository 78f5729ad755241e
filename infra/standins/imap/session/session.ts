import type { Faults } from "../faults.ts";
import type { Extension, ImapUser } from "../imap.ts";
import type { Account } from "../store/account.ts";
import type { Selected } from "./selected.ts";

/** What every connection of a server shares. */
export interface Server {
  readonly users: readonly ImapUser[];
  readonly without: ReadonlySet<Extension>;
  readonly plainSignIn: boolean;
  readonly faults: Faults;
  account(user: string): Account;
}

/** The other side of a connection. */
export interface Peer {
  readonly isEncrypted: boolean;
  /** Sends a line; its end is added. */
  send(line: string | Buffer): Promise<void>;
  /** The next line the client sends; undefined when there is none any more. */
  line(): Promise<string | undefined>;
  /** Says nothing more: it ends when the client has gone. */
  silence(): Promise<void>;
  /** Whatever is sent next breaks off half way, and the connection with it. */
  cutNext(): void;
}

/** What a connection has come to (RFC 3501 §3). */
export interface Session {
  readonly server: Server;
  readonly peer: Peer;
  account: Account | undefined;
  selected: Selected | undefined;
  /** What the client has switched on (RFC 5161). */
  readonly enabled: Set<"CONDSTORE" | "QRESYNC">;
  isOver: boolean;
}

/** How a command ends, behind its tag: `OK [READ-WRITE] Selected`. */
export type Completion = `${"OK" | "NO" | "BAD"} ${string}`;

/** Whether this server has an extension: it has all of them but those it was told to be without. */
export const has = ({ server }: Session, extension: Extension): boolean => !server.without.has(extension);

/** Tells what has changed in the selected folder. */
export async function tellNews({ selected, enabled, peer }: Session, mayExpunge: boolean): Promise<void> {
  const shown = { vanished: enabled.has("QRESYNC"), modseq: enabled.has("CONDSTORE") };
  for (const line of selected?.news(mayExpunge, shown) ?? []) await peer.send(line);
}
