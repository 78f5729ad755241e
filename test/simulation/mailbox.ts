import type { ItemRef } from "../../events/ids.ts";
import type { KeptSettings } from "../../shared/scouts/connectors/connector.ts";
import { readCursor, writeCursor } from "../../shared/scouts/connectors/gmail/position.ts";
import type { SeededRandom } from "./random.ts";

/** Stands in every piece of content, so that it can be looked for where content must not be. */
export const canary = "kanarienvogel";

/** What a model makes of a mail; `fickle`: another verdict each time, `unsure`: spam, but not sure enough to hide. */
export type Nature =
  | "relevant"
  | "spam"
  | "unsure"
  | "fickle"
  | "invalid"
  | "refused"
  | "denied"
  | "failing"
  | "stuck"
  | "poison";

/** Mail that no model judges, however often it is asked. */
export const unjudgeable: readonly Nature[] = ["invalid", "refused", "denied", "failing", "stuck", "poison"];

export interface SimulatedMail {
  readonly id: string;
  readonly historyId: bigint;
  readonly receivedAtMs: number;
  readonly nature: Nature;
  /** Its fields are far longer than anybody should take over. */
  readonly isOversize: boolean;
  labels: readonly string[];
  deleted: boolean;
}

const retentionMs = 7 * 86_400_000;
const watchLifeMs = 7 * 86_400_000;

/**
 * A Gmail mailbox: mails, a history that is kept for a week and may be lost sooner, one watch for all who may read it, and
 * grants that may be withdrawn. Sources of other kinds hold their items in the same way and are read in ways of their own.
 */
export class SimulatedMailbox {
  /** As connectors are called. */
  readonly sourceType: string = "gmail";
  /** Whether it can tell of news. */
  readonly hasWatch: boolean = true;
  readonly address: string;
  readonly mails: SimulatedMail[] = [];
  /** Scouts whose access is withdrawn until the person connects again. */
  readonly withdrawn = new Set<string>();
  /** Scouts whose access was withdrawn at some time. */
  readonly everWithdrawn = new Set<string>();
  /** What Google says to whoever wants to be told of news. */
  watchRefusal: { readonly status: number; readonly reason: string; readonly sentence: string } | undefined;
  /** When the watch ends; there is none after that. */
  #watchedUntilMs = 0;
  #historyId: bigint;
  /** Histories that begin before this are gone. */
  #oldestHistoryId: bigint;
  readonly #random: SeededRandom;

  constructor(address: string, random: SeededRandom) {
    this.address = address;
    this.#random = random;
    // Beyond 2^53, where numbers stop being exact.
    this.#historyId = 9_007_199_254_740_993n + BigInt(random.int(0, 1_000));
    this.#oldestHistoryId = this.#historyId;
  }

  /** What a scout knows a mail by. */
  refOf(_scoutId: string, mail: SimulatedMail): ItemRef {
    return mail.id as ItemRef;
  }

  /** The position of a scout that is connected now. */
  cursorNow(_scoutId: string, nowMs: number): string {
    const completeAtSeconds = Math.floor(nowMs / 1000);
    return writeCursor({ historyId: this.historyId.toString(), completeAtSeconds, recovered: false });
  }

  /** Whether a position says of a mail that it has been listed. */
  hasListed(_scoutId: string, cursor: string): (mail: SimulatedMail) => boolean {
    const reached = BigInt(readCursor(cursor).historyId);
    return (mail) => mail.historyId <= reached;
  }

  /** What its connector keeps for a scout, if it is connected by settings. */
  settingsOf(_scoutId: string): KeptSettings<object> | undefined {
    return undefined;
  }

  get historyId(): bigint {
    return this.#historyId;
  }

  withdraw(scoutId: string): void {
    this.withdrawn.add(scoutId);
    this.everWithdrawn.add(scoutId);
  }

  arrive(nature: Nature, nowMs: number, isOversize: boolean): SimulatedMail {
    this.#historyId += BigInt(this.#random.int(1, 30));
    const id = `${this.address.slice(0, 2)}${(0x18a0 + this.mails.length).toString(16)}${this.#historyId.toString(16)}`;
    const receivedAtMs = nowMs - this.#random.int(0, 60_000);
    const labels = ["INBOX", "UNREAD"];
    const mail = { id, historyId: this.#historyId, receivedAtMs, nature, isOversize, labels, deleted: false };
    this.mails.push(mail);
    return mail;
  }

  /** The person archives, trashes or deletes a mail. */
  remove(mail: SimulatedMail): void {
    this.#historyId += 1n;
    const how = this.#random.pick(["archive", "trash", "delete"]);
    if (how === "delete") mail.deleted = true;
    else mail.labels = how === "trash" ? ["TRASH"] : ["UNREAD"];
  }

  /** Pushes are sent from now on. @returns until when */
  watch(nowMs: number): number {
    this.#watchedUntilMs = nowMs + watchLifeMs;
    return this.#watchedUntilMs;
  }

  stop(): void {
    this.#watchedUntilMs = 0;
  }

  isWatched(nowMs: number): boolean {
    return this.#watchedUntilMs > nowMs;
  }

  loseHistory(): void {
    this.#oldestHistoryId = this.#historyId;
  }

  keeps(startHistoryId: bigint, nowMs: number): boolean {
    if (startHistoryId < this.#oldestHistoryId) return false;
    const first = this.mails.find((mail) => mail.historyId > startHistoryId);
    return first === undefined || nowMs - first.receivedAtMs < retentionMs;
  }
}

export function inInbox(mail: SimulatedMail): boolean {
  return !mail.deleted && mail.labels.includes("INBOX");
}
