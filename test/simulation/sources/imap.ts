import type { ItemRef } from "../../../events/ids.ts";
import type { KeptSettings } from "../../../shared/scouts/connectors/connector.ts";
import { refOf } from "../../../shared/scouts/connectors/imap/identity.ts";
import { readCursor, writeCursor } from "../../../shared/scouts/connectors/imap/position.ts";
import { folderTag, type ImapAccess } from "../../../shared/scouts/connectors/imap/settings.ts";
import { canary, inInbox, type Nature, type SimulatedMail, SimulatedMailbox } from "../mailbox.ts";
import type { SeededRandom } from "../random.ts";
import { refKeyOf } from "./ref-key.ts";

/** Mails by the numbers a folder gives them. */
export interface NumberedFolder {
  readonly path: string;
  validity: bigint;
  next: number;
  mails: Map<number, SimulatedMail>;
}

/** What a server says of each of its users' connections. */
const mostConnections = 3;

/** A mailbox at an IMAP server: folders that number their mails, and number them anew when they are restored. */
export class SimulatedImap extends SimulatedMailbox {
  override readonly sourceType = "imap";
  override readonly hasWatch = false;
  readonly folders: readonly NumberedFolder[];
  readonly #random: SeededRandom;
  readonly #refs = new Map<string, ItemRef>();
  #connections = 0;

  constructor(address: string, random: SeededRandom) {
    super(address, random);
    this.#random = random;
    const paths = random.pick([["INBOX"], ["INBOX", `${canary} Lists`]]);
    this.folders = paths.map((path) => ({
      path,
      validity: BigInt(random.int(1, 1_000_000)),
      next: random.int(1, 5_000),
      mails: new Map(),
    }));
  }

  override arrive(nature: Nature, nowMs: number, isOversize: boolean): SimulatedMail {
    const mail = super.arrive(nature, nowMs, isOversize);
    const folder = this.#random.pick(this.folders);
    folder.mails.set(folder.next, mail);
    folder.next += this.#random.pick([1, 1, 2]);
    return mail;
  }

  /** A folder was restored from a backup: another UIDVALIDITY, other numbers in another order. */
  renumber(): void {
    const folder = this.#random.pick(this.folders);
    const left = this.#random.shuffled([...folder.mails.values()].filter(inInbox));
    folder.validity += BigInt(this.#random.int(1, 1_000));
    folder.mails = new Map(left.map((mail, index) => [index + 1, mail]));
    folder.next = left.length + 1;
  }

  /** @returns whether the server takes one more connection of this user */
  connect(): boolean {
    if (this.#connections >= mostConnections) return false;
    this.#connections += 1;
    return true;
  }

  disconnect(): void {
    this.#connections -= 1;
  }

  override refOf(scoutId: string, mail: SimulatedMail): ItemRef {
    const name = `${scoutId} ${mail.id}`;
    const known =
      this.#refs.get(name) ?? refOf(this.#access(scoutId), { seq: 1, uid: 1, id: "", ...factsOf(mail) }, 1n, 0);
    this.#refs.set(name, known);
    return known;
  }

  override cursorNow(scoutId: string, nowMs: number): string {
    const access = this.#access(scoutId);
    const places = this.folders.map(({ path, validity, next }) => [
      folderTag(access, path),
      { validity: String(validity), next },
    ]);
    return writeCursor({ completeAt: Math.floor(nowMs / 1000), namedFrom: 0, folders: Object.fromEntries(places) });
  }

  /** Mails of a folder that was renumbered since are nobody's to tell: the next look finds out. */
  override hasListed(scoutId: string, cursor: string): (mail: SimulatedMail) => boolean {
    const access = this.#access(scoutId);
    const places = readCursor(cursor).folders;
    return (mail) =>
      this.folders.some(({ path, validity, mails }) => {
        const place = places[folderTag(access, path)];
        if (!place || place.validity !== String(validity)) return false;
        return [...mails].some(([uid, each]) => each === mail && uid < place.next);
      });
  }

  override settingsOf(scoutId: string): KeptSettings<object> {
    const { refKey, ...given } = this.#access(scoutId);
    return { given, own: { refKey } };
  }

  #access(scoutId: string): ImapAccess {
    const folders = this.folders.map(({ path }) => path);
    const host = this.address;
    return { host, tls: "implicit", user: `ada@${host}`, password: canary, folders, refKey: refKeyOf(scoutId) };
  }
}

/** What a server tells of every mail. */
export function factsOf(mail: SimulatedMail) {
  return {
    internalDate: new Date(mail.receivedAtMs),
    size: 2_000 + Number(mail.historyId % 997n),
    headers: Buffer.from(`Message-ID: <${mail.id}@${canary}>\r\n\r\n`),
  };
}
