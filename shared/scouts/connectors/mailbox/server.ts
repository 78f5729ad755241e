import * as z from "zod";
import type { ErrorCode } from "../../../../events/error-kinds.ts";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
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

/** What is wrong with a path, as the program says it. */
const refusal = z.object({
  code: z.enum(["mailbox_missing", "mailbox_no_file", "mailbox_not_mail", "mailbox_empty", "mailbox_unreadable"]),
});
const wrongPaths = {
  mailbox_missing: "source_path_missing",
  mailbox_no_file: "source_path_no_file",
  mailbox_not_mail: "source_path_no_mail",
  mailbox_empty: "source_path_empty",
  mailbox_unreadable: "source_path_unreadable",
} as const satisfies Record<z.infer<typeof refusal>["code"], ErrorCode>;

/** Whether it is the path that is to be mended. */
export const isWrongPath = (error: unknown): boolean =>
  Object.values(wrongPaths).some((code) => isScoutsError(error, code));

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

  /** @throws `source_path_*`, source_unavailable */
  async open(path: Transient<string>): Promise<OpenedMailbox> {
    const found = openedMailbox.parse(await this.#post("open", { path: path.reveal() }));
    const { url, token, place, account, items } = found;
    const opened = { url, token: new Transient(token), place: new Transient(place), items };
    return account === undefined ? opened : { ...opened, account: new Transient(account) };
  }

  /** Has the home told of news in a mailbox, for a scout. @throws `source_path_*`, source_unavailable */
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
    if (response.status === 422) throw new ScoutsError(wrongPaths[refusal.parse(await response.json()).code]);
    if (!response.ok) throw new ScoutsError("source_unavailable", { data: { status: response.status } });
    return response.json();
  }
}
