import type { ImapFlow } from "imapflow";
import { ScoutsError } from "../../../../events/errors.ts";
import { imapFailure } from "./failures.ts";
import { firstThere } from "./folders.ts";
import { brokenBy, type Credential, type Dial, openSession } from "./session.ts";
import type { ImapAccess } from "./settings.ts";

/** Quiet lines are asked whether they are still there: routers forget them after five minutes. */
const quietMs = 4 * 60_000;

/** A connection on which a server tells of news. */
export interface Line {
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  close(): void;
}

/**
 * Has a server tell when something arrives in the first of the folders that are there (IDLE, RFC 2177). It only says that there is news: what
 * it is, the next look finds.
 *
 * @returns nothing where the server does not offer it
 * @throws as {@link openSession}, source_folder_unknown
 */
export async function listen(
  access: Pick<ImapAccess, "host" | "port" | "tls" | "user" | "folders">,
  credential: Credential,
  dial: Dial,
  onNews: () => void,
): Promise<Line | undefined> {
  const client = await openSession(access, credential, { ...dial, quietMs });
  if (!client.capabilities.has("IDLE") && !client.capabilities.has("IMAP4rev2")) {
    client.close();
    return undefined;
  }
  client.on("exists", ({ count, prevCount }) => {
    if (count > prevCount) onNews();
  });
  try {
    if ((await firstThere(client, access.folders)) === undefined) throw new ScoutsError("source_folder_unknown");
  } catch (error) {
    client.close();
    throw imapFailure(brokenBy(client) ?? error);
  }
  return { ended: idle(client), close: () => client.close() };
}

async function idle(client: ImapFlow): Promise<void> {
  try {
    // It ends whenever the line is asked whether it is still there, and begins anew.
    while (client.usable && (await client.idle()) !== false);
  } catch (error) {
    if (client.usable) throw imapFailure(error);
  } finally {
    client.close();
  }
}
