import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { cleanUp, clientOf, historyIds, message, openMailbox, temporaryFolder, watchAll } from "./mailbox-fixture.ts";

afterEach(cleanUp);

test("P4: a mailbox whose files are away has nothing to say of news, so that who asks knows that it is not read", async () => {
  const path = join(await temporaryFolder(), "mail");
  await mkdir(path);
  await writeFile(join(path, "a.eml"), message("a"));
  const mailbox = await openMailbox({ path });
  const client = clientOf(mailbox);
  const start = await watchAll(mailbox, client);
  await rename(path, `${path}.away`);
  await expect(mailbox.rescan()).rejects.toMatchObject({ code: "mailbox_unreadable" });
  const status = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      (error: { status?: number }) => error.status,
    );
  expect(await status(client.users.history.list({ userId: "me", startHistoryId: start }))).toBe(503);
  expect(await status(client.users.messages.list({ userId: "me" }))).toBe(503);
  await rename(`${path}.away`, path);
  await mailbox.rescan();
  expect(await historyIds(client, start)).toHaveLength(1);
});
