import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { Transient } from "../../shared/privacy/transient.ts";
import { contentOf } from "../../shared/scouts/connectors/gmail/message.ts";
import { triagePrompt } from "../../shared/scouts/triage/triage-prompt.ts";
import { Tally } from "../hostile/vectors.ts";
import { cleanUp, clientOf, openMailbox, temporaryFolder, watchAll } from "../standins/mailbox-fixture.ts";
import { dataFolder, hasData } from "./published.ts";

const archive = fileURLToPath(new URL("mime/mime.tar.gz", dataFolder));
const tally = new Tally("mime, as a verdict is asked for");
afterEach(cleanUp);

test.skipIf(!hasData)(
  "every published torture message becomes a prompt of bounded length without halves of characters",
  async () => {
    const folder = await temporaryFolder();
    execFileSync("tar", ["xzf", archive, "-C", folder]);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".json"));
    const mailbox = await openMailbox({ limits: { unitsPerUserMinute: 1e9 } });
    const client = clientOf(mailbox);
    const profile = new Transient({ name: "Inbox", purpose: "What people want" });
    const ids: string[] = [];
    for (const file of files) ids.push(mailbox.deliver(await readFile(join(file.parentPath, file.name))));
    await watchAll(mailbox, client);
    for (const id of ids) {
      const { data } = await client.users.messages.get({ userId: "me", id, format: "full" });
      const content = contentOf(data);
      const prompt = triagePrompt("gmail", profile, content, Date.UTC(2026, 10, 22)).user.reveal();
      expect(prompt.length).toBeLessThan(3_000);
      expect(prompt.isWellFormed()).toBe(true);
      tally.add(content.text.reveal() === "" ? "without text" : "with text");
    }
    expect(ids.length).toBeGreaterThan(200);
  },
);

test.skipIf(!hasData)("every message of the published torture suites is answered in full", async () => {
  const folder = await temporaryFolder();
  execFileSync("tar", ["xzf", archive, "-C", folder]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".json"));
  expect(files.length).toBeGreaterThan(200);
  const mailbox = await openMailbox({ limits: { unitsPerUserMinute: 1e9 } });
  const client = clientOf(mailbox);
  const ids: string[] = [];
  for (const file of files) ids.push(mailbox.deliver(await readFile(join(file.parentPath, file.name))));
  await watchAll(mailbox, client);
  for (const id of ids) {
    const { data } = await client.users.messages.get({ userId: "me", id });
    expect(data.payload?.mimeType).toMatch(/\S/);
  }
});
