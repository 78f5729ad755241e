import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { detectSource } from "../../infra/standins/mailbox/formats/source.ts";
import { scanSource } from "../../infra/standins/mailbox/scan.ts";
import { openMailboxDatabase } from "../../infra/standins/mailbox/store/database.ts";
import { openMessages } from "../../infra/standins/mailbox/store/messages.ts";
import { openSlices } from "../../infra/standins/mailbox/store/slices.ts";
import { cleanUp, clientOf, historyIds, message, openMailbox, temporaryFolder, watchAll } from "./mailbox-fixture.ts";

afterEach(cleanUp);

/** A folder with one mail that everybody has been told of, and has gone since. */
async function missed() {
  const folder = await temporaryFolder();
  const path = join(folder, "mail");
  await mkdir(path);
  const [stays, file] = [join(path, "stays.eml"), join(path, "a.eml")];
  await writeFile(stays, message("stays"));
  const write = () => writeFile(file, message("orchid"));
  await write();
  const options = { path, stateDir: join(folder, "state") };
  const mailbox = await openMailbox(options);
  const client = clientOf(mailbox);
  const start = await watchAll(mailbox, client);
  const found = async (q: string) => (await client.users.messages.list({ userId: "me", q })).data.messages ?? [];
  const [a] = await found("subject:orchid");
  const { data } = await client.users.messages.get({ userId: "me", id: `${a?.id}` });
  await rm(file);
  await mailbox.rescan();
  expect(await found("subject:orchid")).toEqual([]);
  return { options, mailbox, client, start, id: `${a?.id}`, receivedAt: data.internalDate, write };
}

test("P2: a mail whose file comes back is told of again, and stays the mail it was", async () => {
  const { mailbox, client, start, id, receivedAt, write } = await missed();
  await write();
  await mailbox.rescan();
  await mailbox.whenAllArrived();
  expect((await historyIds(client, start)).filter((each) => each === id)).toHaveLength(2);
  const { data } = await client.users.messages.get({ userId: "me", id });
  expect(data).toMatchObject({ internalDate: receivedAt, labelIds: ["INBOX", "UNREAD"] });
  expect(mailbox.stats()).toMatchObject({ messages: 2, arrived: 2, waiting: 0 });
});

test("nothing silent: one that was found again by a process that ended before it told of that is told of by the next", async () => {
  const { options, mailbox, start, id, write } = await missed();
  await mailbox.close();
  await write();
  const database = openMailboxDatabase(options.stateDir);
  const slices = openSlices(database, openMessages(database));
  await scanSource(database, slices, await detectSource(options.path), {
    message: 0,
    mbox: 0,
    unfinished: 0,
    locked: 0,
  });
  database.close();
  const next = await openMailbox(options);
  await next.whenAllArrived();
  expect((await historyIds(clientOf(next), start)).filter((each) => each === id)).toHaveLength(2);
});
