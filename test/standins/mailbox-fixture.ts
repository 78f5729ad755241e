import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth, gmail, type gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import type { Mailbox, MailboxOptions } from "../../infra/standins/mailbox/mailbox.ts";
import { startMailbox } from "../../infra/standins/mailbox/start.ts";

import { ownerSecret } from "./owner.ts";

export const address = "ada@example.com";
export const topicName = "projects/local/topics/scouts-gmail";
export const oauthClient = { clientId: "scouts.apps.example.com", clientSecret: "not-a-secret", ownerSecret };
export const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;

const cleanups: (() => Promise<void>)[] = [];

/** Ends everything the fixtures of a test began, newest first. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "standins-"));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Has a server closed when the test ends; closing it earlier is allowed. */
export function closeLater<T extends { close(): Promise<void> }>(server: T): T {
  let closed = false;
  const close = async () => {
    if (!closed) await server.close();
    closed = true;
  };
  cleanups.push(close);
  return { ...server, close };
}

/** A mailbox that is closed when the test ends. */
export async function openMailbox(options: Partial<MailboxOptions> = {}): Promise<Mailbox> {
  const mailbox = await startMailbox({
    stateDir: options.stateDir ?? (await temporaryFolder()),
    address,
    oauth: oauthClient,
    ...options,
  });
  return closeLater(mailbox);
}

/** The real Gmail client against a mailbox, holding an access token for one scope and never retrying by itself. */
export function clientOf(mailbox: Mailbox, scopeName = "gmail.modify"): gmail_v1.Gmail {
  const client = new auth.OAuth2();
  client.setCredentials({ access_token: mailbox.grant([scope(scopeName)]).accessToken });
  return gmail({ version: "v1", auth: client, rootUrl: `${mailbox.url}/`, retry: false });
}

export function message(subject: string, body = "Hello", extra = ""): Buffer {
  return Buffer.from(
    `From: Bea <bea@example.org>\r\nTo: ${address}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.org>\r\n${extra}\r\n${body}\r\n`,
  );
}

/** Watches, lets everything arrive, and gives the history id the watch began at. */
export async function watchAll(mailbox: Mailbox, client: gmail_v1.Gmail): Promise<string> {
  const { data } = await client.users.watch({ userId: "me", requestBody: { topicName, labelIds: ["INBOX"] } });
  await mailbox.whenAllArrived();
  return data.historyId ?? "";
}

/** Every id history.list gives, page by page. */
export async function historyIds(client: gmail_v1.Gmail, startHistoryId: string, maxResults = 500): Promise<string[]> {
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const { data } = await client.users.history.list({
      userId: "me",
      startHistoryId,
      historyTypes: ["messageAdded"],
      maxResults,
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    for (const record of data.history ?? []) {
      for (const added of record.messagesAdded ?? []) ids.push(added.message?.id ?? "");
    }
    pageToken = data.nextPageToken ?? undefined;
  } while (pageToken !== undefined);
  return ids;
}

/** What a call failed with: the status and the parsed body. */
export async function failureOf(call: Promise<unknown>): Promise<{ status: number; reason: string; message: string }> {
  try {
    await call;
  } catch (error) {
    const response = error instanceof Error && "response" in error ? error.response : undefined;
    if (typeof response === "object" && response !== null && "status" in response && "data" in response) {
      const { error: body } = JSON.parse(JSON.stringify(response.data));
      return { status: Number(response.status), reason: body?.errors?.[0]?.reason, message: body?.message };
    }
    throw error;
  }
  throw new Error("the call should have failed");
}
