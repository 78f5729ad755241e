import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { whole } from "../rounds.ts";
import { ownFolder } from "./folders.ts";
import { upTo, writeMail } from "./mail.ts";
import { type Ended, scouts, scoutsHere, summaryIn } from "./program.ts";

const timeoutMs = 240_000;

/** `up` that cannot start: one line on stderr, nothing on stdout. @returns the line */
function refusal({ code, stdout, stderr }: Ended): string {
  expect(stdout).toBe("");
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).toMatch(/^scouts: \S.*\. \(\w+\)\n$/);
  expect(code).toBeGreaterThan(0);
  return stderr.trimEnd();
}

function folderWith(fill: (folder: string) => void): { folder: string; data: string } {
  const { path: folder, remove } = ownFolder();
  onTestFinished(remove);
  fill(folder);
  return { folder, data: join(folder, "data") };
}

/** What a mailbox may be instead; every third one but in a whole run: test/standins/ has all of them. */
const unusable: readonly [string, RegExp, (folder: string) => string][] = [
  ["a path where nothing is", /There is no mailbox at .*\(mailbox_missing\)/, (folder) => join(folder, "nowhere.mbox")],
  [
    "a path below a file",
    /There is no mailbox at .*\(mailbox_missing\)/,
    (folder) => join(written(folder, "a", "From a\n"), "b"),
  ],
  ["an empty file", /is empty.*\(mailbox_empty\)/, (folder) => written(folder, "empty.eml", "")],
  ["an empty folder", /There is no mail in .*\(mailbox_empty\)/, (folder) => made(folder, "mail")],
  ["a folder without mail", /There is no mail in .*\(mailbox_empty\)/, (folder) => withNotes(made(folder, "mail"))],
  [
    "a file that is no mail",
    /is not a mailbox.*\(mailbox_not_mail\)/,
    (folder) => written(folder, "x.mbox", "\u0000\u0001ELF"),
  ],
  [
    "a text that is no mail",
    /is not a mailbox.*\(mailbox_not_mail\)/,
    (folder) => written(folder, "x.txt", "Dear diary,\n"),
  ],
];
test.each(unusable.filter((_, at) => whole || at % 3 === 0))(
  "a mailbox that cannot be used is refused in one sentence: %s",
  async (_, sentence, make) => {
    const { folder, data } = folderWith(() => {});
    const line = refusal(await scoutsHere(["up", "--once", "--mailbox", make(folder), "--data", data]));
    expect(line).toMatch(sentence);
    // What to do.
    expect(line).toMatch(/(?:Give|give|Check|check) /);
    expect(existsSync(data)).toBe(false);
  },
  timeoutMs,
);

test(
  "a home goes on with the mailbox it was begun with: not with the sample, and not with another",
  async () => {
    const { folder: mine, data } = folderWith((path) => writeMail(path, upTo(1)));
    const { folder: other } = folderWith((path) => writeMail(path, upTo(2)));
    const up = (home: string, ...words: string[]) => scouts(["up", "--once", "--json", "--data", home, ...words]);
    const messagesOf = async (home: string, ...words: string[]) => summaryIn(await up(home, ...words)).messages;

    // What could not be read is not remembered.
    refusal(await scoutsHere(["up", "--once", "--data", data, "--mailbox", join(other, "nowhere")]));
    expect(await messagesOf(data, "--mailbox", mine)).toBe(1);
    expect(await messagesOf(data)).toBe(1);
    const elsewhere = ["up", "--once", "--data", data, "--mailbox", other];
    expect(refusal(await scoutsHere(elsewhere))).toMatch(/goes on with the mailbox .*--data .*\(mailbox_other\)$/);
  },
  timeoutMs,
);

test(
  "a taken port is refused in one sentence that names it",
  async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const { folder, data } = folderWith((path) => writeMail(path, upTo(1)));
    const line = refusal(await scouts(["up", "--once", "--mailbox", folder, "--data", data, "--port", port]));
    expect(line).toContain(`Port ${port} on 127.0.0.1 is taken`);
  },
  timeoutMs,
);

test(
  "a data folder that is a file is refused in one sentence, and left as it is",
  async () => {
    const { folder } = folderWith((path) => writeMail(path, upTo(1)));
    const file = written(folder, "data", "mine");
    const line = refusal(await scoutsHere(["up", "--once", "--mailbox", folder, "--data", file]));
    expect(line).toContain(file);
  },
  timeoutMs,
);

test(
  "wrong usage is refused with 2",
  async () => {
    const { data } = folderWith(() => {});
    for (const words of [["--port", "99999"], ["--seed", "x"], ["--nonsense"], ["--mailbox", ""]]) {
      const { code } = await scoutsHere(["up", "--once", "--data", data, ...words]);
      expect(code).toBe(2);
    }
    expect(existsSync(data)).toBe(false);
  },
  timeoutMs,
);

test(
  "`proposals list` on a folder without a device is refused in one sentence, and makes none",
  async () => {
    const { data } = folderWith(() => {});
    const { code, stdout, stderr } = await scoutsHere(["proposals", "list", "--json", "--data", data]);
    expect(JSON.parse(stdout)).toMatchObject({ code: "store_missing", exitCode: 4 });
    expect(code).toBe(4);
    expect(stderr).toMatch(/^scouts: There is no device data in .* yet; .*\(store_missing\)\n$/);
    expect(existsSync(data)).toBe(false);
  },
  timeoutMs,
);

function written(folder: string, name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function made(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

function withNotes(folder: string): string {
  written(folder, "notes.txt", "From nobody\n");
  return folder;
}
