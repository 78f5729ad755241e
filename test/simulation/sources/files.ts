import { ScoutsError } from "../../../events/errors.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { KeptSettings } from "../../../shared/scouts/connectors/connector.ts";
import { MailboxServer, type OpenedMailbox } from "../../../shared/scouts/connectors/mailbox/server.ts";
import { SimulatedMailbox } from "../mailbox.ts";
import type { Process } from "../process.ts";

/** Mail in files on the machine of the home; the disk they are on goes away and comes back. */
export class SimulatedFiles extends SimulatedMailbox {
  override readonly sourceType = "mailbox";
  #vanished = false;

  get isThere(): boolean {
    return !this.#vanished;
  }

  vanish(): void {
    this.#vanished = true;
  }

  comeBack(): void {
    this.#vanished = false;
  }

  override settingsOf(): KeptSettings<object> {
    return { given: { path: `/${this.address}` } };
  }
}

/** The program that opens mail in files, as a process reaches it: the world's mailboxes by their paths. */
export class SimulatedMailboxServer extends MailboxServer {
  readonly #process: Process;
  readonly #mailboxes: () => readonly SimulatedMailbox[];

  constructor(process: Process, mailboxes: () => readonly SimulatedMailbox[]) {
    super("http://127.0.0.1:1/");
    this.#process = process;
    this.#mailboxes = mailboxes;
  }

  override open(path: Transient<string>): Promise<OpenedMailbox> {
    return this.#ask("open", path, ({ address, mails }) => ({
      url: `http://${address}`,
      token: new Transient("token"),
      place: new Transient(`/${address}`),
      items: mails.length,
    }));
  }

  override watch(path: Transient<string>): Promise<void> {
    return this.#ask("watch", path, () => {});
  }

  override unwatch(path: Transient<string>): Promise<void> {
    return this.#ask("unwatch", path, () => {});
  }

  override forget(path: Transient<string>): Promise<void> {
    return this.#ask("forget", path, () => {});
  }

  #ask<T>(what: string, path: Transient<string>, answer: (files: SimulatedFiles) => T): Promise<T> {
    return this.#process.call(`files ${what}`, () => {
      const files = this.#mailboxes().find((each) => `/${each.address}` === path.reveal());
      const mustBeThere = what === "open" || what === "watch";
      if (!(files instanceof SimulatedFiles) || (mustBeThere && !files.isThere)) {
        throw new ScoutsError("source_path_missing");
      }
      return answer(files);
    });
  }
}
