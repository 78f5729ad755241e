import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { detectSource } from "../../infra/standins/mailbox/formats/source.ts";
import { scanSource } from "../../infra/standins/mailbox/scan.ts";
import { openMailboxDatabase } from "../../infra/standins/mailbox/store/database.ts";
import { openMessages } from "../../infra/standins/mailbox/store/messages.ts";
import { openSlices } from "../../infra/standins/mailbox/store/slices.ts";
import { cleanUp, clientOf, historyIds, message, openMailbox, temporaryFolder, watchAll } from "./mailbox-fixture.ts";

afterEach(cleanUp);

describe("a mailbox started again on its state (P2)", () => {
  it("reads the same mail again without adding anything, and keeps ids, labels, tokens and history", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "a.eml");
    await writeFile(path, message("a"));
    const options = { path, stateDir: join(folder, "state") };
    const first = await openMailbox(options);
    const client = clientOf(first);
    const start = await watchAll(first, client);
    const ids = await historyIds(client, start);
    first.changeLabels(ids[0] ?? "", { add: ["STARRED"] });
    const { accessToken } = first.grant(["https://www.googleapis.com/auth/gmail.readonly"]);
    await first.close();

    const second = await openMailbox(options);
    expect(second.stats()).toMatchObject({ messages: 1, arrived: 1, waiting: 0 });
    expect(await historyIds(clientOf(second), start)).toEqual(ids);
    expect(second.labelsOf(ids[0] ?? "")).toEqual(["INBOX", "UNREAD", "STARRED"]);
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await fetch(`${second.url}/gmail/v1/users/me/profile`, { headers })).status).toBe(200);
  });

  it("nothing silent: one that ended after it had found mail gone, and before it wrote that down, tells it later", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "mail");
    await mkdir(path);
    for (const name of ["a", "b"]) await writeFile(join(path, `${name}.eml`), message(name));
    const options = { path, stateDir: join(folder, "state") };
    const first = await openMailbox(options);
    const client = clientOf(first);
    const start = await watchAll(first, client);
    const [gone] = (await client.users.messages.list({ userId: "me", q: "subject:a" })).data.messages ?? [];
    await first.close();
    await rm(join(path, "a.eml"));
    const database = openMailboxDatabase(options.stateDir);
    const slices = openSlices(database, openMessages(database));
    const noWait = { message: 0, mbox: 0, unfinished: 0, locked: 0 };
    const found = await scanSource(database, slices, await detectSource(path), noWait);
    expect(found.missing).toEqual([gone?.id]);
    database.close();

    const second = await openMailbox(options);
    const { data } = await clientOf(second).users.history.list({
      userId: "me",
      startHistoryId: start,
      historyTypes: ["messageDeleted"],
    });
    const deleted = (data.history ?? []).flatMap(({ messagesDeleted }) => messagesDeleted ?? []);
    expect(deleted.map((each) => each.message?.id)).toEqual(found.missing);
    expect(second.stats()).toMatchObject({ messages: 1, arrived: 1, waiting: 0 });
  });

  it("announces a change that was never announced because the process ended", async () => {
    const stateDir = await temporaryFolder();
    const first = await openMailbox({ stateDir });
    await watchAll(first, clientOf(first));
    first.deliver(message("late"));
    await first.whenAllArrived();
    await first.close();
    const announced = new Promise<string>((resolve, reject) => {
      openMailbox({ stateDir, push: ({ historyId }) => resolve(historyId) }).catch(reject);
    });
    expect(BigInt(await announced)).toBeGreaterThan(2n ** 53n);
  });

  it("killed in the middle of the arrivals lets every message arrive exactly once", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "mail.mbox");
    const mails = Array.from(
      { length: 1000 },
      (_, n) => `From a@example.org Fri Nov 20 09:44:16 2026\n${message(`m${n}`)}\n`,
    );
    await writeFile(path, mails.join(""));
    const stateDir = join(folder, "state");
    const child = spawn(process.execPath, [join(import.meta.dirname, "mailbox-process.ts"), path, stateDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(createInterface(child.stdout), "line");
    child.kill("SIGKILL");
    await once(child, "exit");
    const { start, arrived } = JSON.parse(String(line));
    expect(arrived).toBeGreaterThan(0);
    expect(arrived).toBeLessThan(1000);

    const mailbox = await openMailbox({ path, stateDir });
    const client = clientOf(mailbox);
    await watchAll(mailbox, client);
    const ids = await historyIds(client, start);
    expect(ids).toHaveLength(1000);
    expect(new Set(ids).size).toBe(1000);
  });
});
