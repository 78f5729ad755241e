import * as z from "zod";
import { scoutId } from "../../../../events/ids.ts";
import type { ScoutAtSource } from "../connector.ts";
import type { Credential } from "./session.ts";
import { type ImapAccess, imapSettings } from "./settings.ts";

/**
 * The listener is on the same machine: where there is none that is known at once, and one that is late has a machine that is busy.
 * Half of what a look at a mail server may take, which waits behind it.
 */
const timeoutMs = 8_000;

const { host, port, tls, user, folders } = imapSettings.shape;

/** What a listener is asked for. Secrets are in it: it is kept in memory only. */
export const listenRequest = z.object({
  scoutId,
  access: z.object({ host, port, tls, user, folders }),
  credential: z.union([z.strictObject({ pass: z.string() }), z.strictObject({ accessToken: z.string() })]),
});
/** Whom a listener is to listen for no more. */
export const endRequest = z.object({ scoutId });
export type ListenRequest = z.infer<typeof listenRequest>;

/**
 * A program of the home's machine that keeps a connection to a mail server open and has a scout look when there is news.
 * Functions that end with their work cannot.
 */
export class Listener {
  readonly #url: string;

  /** @param url its address, which holds the secret that lets us in */
  constructor(url: string) {
    this.#url = url;
  }

  /** @returns whether it will listen; nothing depends on it, for the mailbox is polled all the same */
  async ask({ scoutId: scout }: ScoutAtSource, access: ImapAccess, credential: Credential): Promise<boolean> {
    const { host, port, tls, user, folders } = access;
    const where = { host, tls, user, folders, ...(port === undefined ? {} : { port }) };
    return this.#send("POST", { scoutId: scout, access: where, credential });
  }

  /** Has it forget a scout and how to sign in for it. @returns whether it was told; else that lapses by itself */
  async end({ scoutId: scout }: ScoutAtSource): Promise<boolean> {
    return this.#send("DELETE", { scoutId: scout });
  }

  async #send(method: "POST" | "DELETE", body: object): Promise<boolean> {
    try {
      const response = await fetch(this.#url, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return response.ok;
    } catch {
      // It is being stopped, or was: the poll goes on.
      return false;
    }
  }
}
