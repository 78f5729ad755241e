import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whole } from "../rounds.ts";
import { upTo } from "./mail.ts";
import { scouts, summaryIn } from "./program.ts";
import { settingWith } from "./setting.ts";
import { type ExportedMail, takeoutMbox } from "./takeout-mbox.ts";

const timeoutMs = 240_000;

async function exportOf(mails: readonly ExportedMail[]) {
  const { dataFolder, mailFolder, model } = await settingWith([]);
  const path = join(mailFolder, "All mail.mbox");
  writeFileSync(path, takeoutMbox(mails));
  return { path, model, up: (...more: string[]) => ["up", "--mailbox", path, "--data", dataFolder, "--once", ...more] };
}

const received = (numbers: readonly number[], labels = "Inbox,Unread") => numbers.map((number) => ({ number, labels }));

test(
  "P2: an export with sent mail, spam and drafts ends: what is watched is counted, the rest is said",
  async () => {
    const { up, model } = await exportOf([
      ...received(upTo(6)),
      { number: 6, labels: "Archived,Opened" },
      { number: 7, labels: "Archived,Sent" },
      { number: 8, labels: "Spam,Unread" },
      { number: 9, labels: "Drafts" },
      { number: 10, labels: "Trash" },
    ]);
    const first = await scouts(up("--json"), model.environment);
    expect(first.code, first.stderr).toBe(0);
    expect(summaryIn(first)).toMatchObject({
      messages: 7,
      relevant: 5,
      spam: 2,
      failed: 0,
      notLookedAt: { sent: 1, spam: 1, drafts: 1, trash: 1 },
    });
    const shown = await scouts(up(), model.environment);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain("Not looked at: 4 in Sent, Spam, Drafts, Trash.");
    expect(shown.stderr).not.toMatch(/ left/);
  },
  timeoutMs,
);

test.skipIf(!whole)(
  "an export of sent mail only: nothing to look at, said, exit code 0",
  async () => {
    const { up, model } = await exportOf([
      { number: 1, labels: "Archivés,Envoyé" },
      { number: 2, labels: "=?UTF-8?Q?Messages_envoy=C3=A9s,Ouvert?=" },
    ]);
    const { code, stdout, stderr } = await scouts(up(), model.environment);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/Nothing to look at/);
    expect(stdout).toContain("Not looked at: 2 in Sent.");
    expect(model.requests()).toBe(0);
  },
  timeoutMs,
);

test.skipIf(!whole)(
  "--since, --limit and --labels choose, and a run without them looks at the rest",
  async () => {
    const days = ["2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01"];
    const mails = days.map((day, number) => ({ number, labels: number === 1 ? "Inbox,Work" : "Inbox", day }));
    const { up, model } = await exportOf(mails);
    const counts = async (...more: string[]) => summaryIn(await scouts(up("--json", ...more), model.environment));
    expect(await counts("--since", "2026-02-15", "--limit", "1")).toMatchObject({
      messages: 1,
      notLookedAt: { since: 2, limit: 1 },
    });
    expect(await counts("--labels", "work")).toMatchObject({ messages: 2, failed: 0, notLookedAt: { labels: 2 } });
    expect(await counts()).toMatchObject({ messages: 4, relevant: 3, spam: 1, failed: 0, notLookedAt: {} });
    expect(model.requests()).toBe(4);
  },
  timeoutMs,
);

// Of a change, test/standins/mailbox-formats.test.ts holds it of the mailbox.
test.skipIf(!whole)(
  "P2: a newer export in the file's place, with other labels on known mail: only the new mail is judged",
  async () => {
    const { path, up, model } = await exportOf(received(upTo(4), "Inbox,Unread"));
    const first = summaryIn(await scouts(up("--json"), model.environment));
    expect(first).toMatchObject({ messages: 4, failed: 0 });
    // "Opened" is as long as "Unread": every offset stays as it was, and the file only seems to have grown.
    writeFileSync(path, takeoutMbox([...received(upTo(4), "Inbox,Opened"), { number: 4, labels: "Inbox" }]));
    const second = summaryIn(await scouts(up("--json"), model.environment));
    expect(second).toMatchObject({ messages: 5, failed: 0 });
    expect(model.requests()).toBe(5);
    writeFileSync(path, takeoutMbox([{ number: 5, labels: "Inbox" }, ...received([3, 2, 1, 0, 4], "Archived,Work")]));
    const third = summaryIn(await scouts(up("--json"), model.environment));
    expect(third).toMatchObject({ messages: 6, failed: 0 });
    expect(model.requests()).toBe(6);
  },
  timeoutMs,
);
