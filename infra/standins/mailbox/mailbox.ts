import type { After } from "../../../shared/ports/clock.ts";
import type { FaultPlace, Faults } from "./faults.ts";
import type { GmailNotification } from "./notifier.ts";
import type { ConsentBehaviour, OAuthClient } from "./oauth/client.ts";
import type { QuotaLimits } from "./quota.ts";
import type { LookAt, Watched } from "./store/selection.ts";

export interface MailboxOptions {
  /** An mbox file, a message, a Maildir or a folder of .eml; without it only delivered mail. */
  readonly path?: string;
  /** Which of its messages are looked at; everything received unless told. */
  readonly lookAt?: LookAt;
  /** Where the mailbox keeps its own state, `<data>/world/mailbox`. */
  readonly stateDir: string;
  readonly address: string;
  readonly port?: number;
  readonly oauth: OAuthClient & Partial<ConsentBehaviour>;
  /** Publishes to the watch's topic. */
  readonly push?: (notification: GmailNotification) => void | Promise<void>;
  /** Told when its files cannot be read any more, and when they can again. */
  readonly onReadable?: (readable: boolean) => void;
  readonly limits?: Partial<QuotaLimits>;
  readonly clock?: () => number;
  /** What its announcements wait by. */
  readonly after?: After;
  readonly random?: () => number;
}

export interface MailboxStats extends Watched {
  /** All there are, looked at or not. */
  readonly messages: number;
  readonly arrived: number;
  readonly waiting: number;
  /** Whether whoever watches has been told of its last change; at most one announcement a second. */
  readonly isAnnounced: boolean;
  readonly quotaUnits: number;
  readonly requests: number;
  readonly byMethod: Readonly<Partial<Record<FaultPlace, number>>>;
}

export interface Mailbox {
  /** Root of the API and of the OAuth endpoints, no slash at the end. */
  readonly url: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string;
  readonly faults: Faults;
  /** API calls (each call of a batch counts) and token requests; of one method when named. */
  requests(method?: FaultPlace): number;
  /** Messages that are still to arrive: until somebody watches, all but those left out by choice. */
  pendingArrivals(): number;
  whenAllArrived(): Promise<void>;
  /** Puts a message into the mailbox as if it had just been sent; its id. Before the first watch it waits. */
  deliver(raw: Uint8Array, labels?: readonly string[]): string;
  remove(id: string): void;
  changeLabels(id: string, change: { add?: readonly string[]; remove?: readonly string[] }): void;
  labelsOf(id: string): readonly string[] | undefined;
  /** Forgets all history, so that every start id given out so far is too old. */
  expireHistory(): void;
  /** Ends every grant, as a password change does. */
  revokeGrants(): void;
  /** Tokens as a finished consent for these scopes would give, without the detour. */
  grant(scopes: readonly string[]): { refreshToken: string; accessToken: string };
  setConsent(decide: ConsentBehaviour["decide"]): void;
  setLimits(limits: Partial<QuotaLimits>): void;
  /** Reads the mailbox's files again now. */
  rescan(): Promise<void>;
  /** Whether its files could be read the last time somebody looked. */
  isReadable(): boolean;
  /** Paths of files and folders in it that cannot be read while the rest of it can. */
  unread(): readonly string[];
  /** Looks again where its files could not be read the last time. Throws StandInError when they still cannot. */
  requireReadable(): Promise<void>;
  /** Labels that were to be looked at and that no message carries. */
  unknownLabels(): readonly string[];
  stats(): MailboxStats;
  /** The history id of the latest arrival: who has read the history to here has been told of every message. */
  lastArrival(): bigint;
  close(): Promise<void>;
}
