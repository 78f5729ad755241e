import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OwnMailbox } from "../../infra/local/world/own-mailbox.ts";
import { openMailboxDatabase } from "../../infra/standins/mailbox/store/database.ts";

let folder: string;
let sample: string;
let mine: string;
let other: string;
const at = (name: string) => {
  mkdirSync(join(folder, name));
  return join(folder, name);
};
const own = () => new OwnMailbox(join(folder, "data"), sample);
const refused = (sentence: RegExp) =>
  expect.objectContaining({ code: "mailbox_other", message: expect.stringMatching(sentence) });
const choice = (named: string | undefined): unknown => {
  try {
    return own().choose(named);
  } catch (error) {
    return error;
  }
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scouts-own-mailbox-"));
  sample = at("sample");
  mine = at("mine");
  other = at("other");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a home begun with a mailbox of one's own goes on with it, and with no other and not with the sample", () => {
  expect([own().choose(mine), own().isKnown]).toEqual([mine, false]);
  own().remember(mine);
  expect(own().isKnown).toBe(true);
  expect([choice(undefined), choice(mine)]).toEqual([mine, mine]);
  for (const named of [other, sample]) expect(choice(named)).toEqual(refused(/goes on with the mailbox .*--data/));
  own().remember(other);
  expect(choice(undefined)).toBe(mine);
});

test("a mailbox is the same by any link to it, and one that was moved is once a link lies at its old place", () => {
  own().remember(mine);
  const link = join(folder, "link");
  symlinkSync(mine, link);
  expect(choice(link)).toBe(mine);
  const moved = join(folder, "moved");
  renameSync(mine, moved);
  expect(choice(moved)).toEqual(refused(/is not there.* link /));
  symlinkSync(moved, mine);
  expect(choice(moved)).toBe(mine);
});

test("a home begun with the sample goes on with it, wherever the program lies, and is not mixed with one's own mail", () => {
  expect(own().choose(undefined)).toBe(sample);
  own().remember(sample);
  expect(choice(mine)).toEqual(refused(/begun with the sample.*--data.*scouts add mailbox/));
  sample = at("elsewhere");
  expect([choice(undefined), choice(sample)]).toEqual([sample, sample]);
});

test("a home from before that was remembered is known by the files it has read", () => {
  const database = openMailboxDatabase(join(folder, "data", "world", "mailbox"));
  const put = (path: string) => database.exec(`DELETE FROM files; INSERT INTO files VALUES ('${path}', 1, 1, 0)`);
  put(join(sample, "a.eml"));
  writeFileSync(join(sample, "a.eml"), "From: a@example.org");
  expect(choice(undefined)).toBe(sample);
  expect(choice(mine)).toEqual(refused(/begun with the sample/));
  rmSync(join(sample, "a.eml"));
  expect(choice(undefined), "another version of the sample").toBe(sample);
  put(join(mine, "a.eml"));
  writeFileSync(join(mine, "a.eml"), "From: a@example.org");
  expect(own().isKnown).toBe(true);
  expect(choice(mine)).toBe(mine);
  expect(choice(other)).toEqual(refused(/has read .*a\.eml.*--mailbox.*--data.*scouts add mailbox/));
  rmSync(join(mine, "a.eml"));
  expect(choice(undefined)).toEqual(refused(/say once with --mailbox/));
  expect(choice(other)).toBe(other);
  database.close();
  writeFileSync(join(folder, "data", "world", "mailbox", "mailbox.sqlite"), "damaged, which its start tells better");
  expect(choice(mine)).toBe(mine);
});

test("a home from before, begun with the sample of a program that lay elsewhere, goes on with it", () => {
  writeFileSync(join(sample, "a.eml"), "From: a@example.org");
  mkdirSync(join(folder, "before", "sample"), { recursive: true });
  const file = join(folder, "before", "sample", "a.eml");
  writeFileSync(file, "From: a@example.org");
  const database = openMailboxDatabase(join(folder, "data", "world", "mailbox"));
  database.prepare("INSERT INTO files VALUES (?, 1, 1, 0)").run(file);
  database.close();
  expect([choice(undefined), choice(sample)]).toEqual([sample, sample]);
  expect(choice(mine)).toEqual(refused(/begun with the sample/));
});
