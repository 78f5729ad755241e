import * as z from "zod";
import { ScoutsError } from "../../../../events/errors.ts";
import type { ScoutId } from "../../../../events/ids.ts";
import { Transient } from "../../../privacy/transient.ts";

/** Opening reads every mail once; a large archive takes a while. */
const timeoutMs = 18_000;

const openedMailbox = z.object({
  /** Where its mail is served, by Gmail's protocol. */
  url: z.url(),
  token: z.string().min(1),
  /** The path with links resolved: one mailbox has one. */
  place: z.string().min(1),
  account: z.string().min(1).optional(),
  items: z.number().int().nonnegative(),
});

/** A mailbox that is open. */
export interface OpenedMailbox {
  readonly url: string;
  readonly token: Transient<string>;
  readonly place: Transient<string>;
  /** Of the home's own mailbox, which stands for an account: its address. */
  readonly account?: Transient<string>;
  readonly items: number;
}

/** The program of the home's machine that serves mail from files. */
export class MailboxServer {
  readonly #url: string;

  /** @param url its address, which holds the secret that lets us in */
  constructor(url: string) {
    this.#url = url.replace(/\/?$/, "/");
  }

  /** @throws source_path_unreadable, source_unavailable */
  async open(path: Transient<string>): Promise<OpenedMailbox> {
    const found = openedMailbox.parse(await this.#post("open", { path: path.reveal() }));
    const { url, token, place, account, items } = found;
    const opened = { url, token: new Transient(token), place: new Transient(place), items };
    return account === undefined ? opened : { ...opened, account: new Transient(account) };
  }

  /** Has the home told of news in a mailbox, for a scout. @throws source_path_unreadable, source_unavailable */
  async watch(path: Transient<string>, scoutId: ScoutId): Promise<void> {
    await this.#post("watch", { path: path.reveal(), scoutId });
  }

  /** Ends that. @throws source_unavailable */
  async unwatch(path: Transient<string>): Promise<void> {
    await this.#post("unwatch", { path: path.reveal() });
  }

  /** Removes what is kept of a mailbox; its files are left alone. @throws source_unavailable */
  async forget(path: Transient<string>): Promise<void> {
    await this.#post("forget", { path: path.reveal() });
  }

  async #post(what: string, body: object): Promise<unknown> {
    const response = await fetch(`${this.#url}${what}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new ScoutsError("source_unavailable", { cause });
    });
    if (response.status === 422) throw new ScoutsError("source_path_unreadable");
    if (!response.ok) throw new ScoutsError("source_unavailable", { data: { status: response.status } });
    return response.json();
  }
}
