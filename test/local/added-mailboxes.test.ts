import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Mailboxes, startMailboxes } from "../../infra/local/world/mailboxes.ts";
import { inbox } from "../unit/scouts/setting.ts";

let folder: string;
let mailboxes: Mailboxes;
const written: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scouts-mailboxes-"));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  written.length = 0;
  await mailboxes.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (what: string, body: object) =>
  (await fetch(`${mailboxes.url}/${what}`, { method: "POST", body: JSON.stringify(body) })).status;

test("files that vanish are told once, in a sentence, and the scout is looked at; again when they are back", async () => {
  const path = join(folder, "mail");
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(path);
  writeFileSync(join(path, "1.eml"), "From: a@example.org\r\nSubject: One\r\n\r\nText\r\n");
  mailboxes = await startMailboxes(join(folder, "state"), Date.now);
  let news = Promise.withResolvers<string>();
  mailboxes.onNews(async (scout) => news.resolve(scout));
  expect(await ask("watch", { path, scoutId: inbox })).toBe(200);
  news = Promise.withResolvers();
  renameSync(path, elsewhere);
  expect(await news.promise).toBe(inbox);
  expect(await ask("open", { path })).toBe(422);
  expect(written.join("")).toMatch(/^The mailbox .*mail cannot be read\. Was it moved, .*\n$/);
  // Waiting for what is there does not fail for what is not.
  await mailboxes.whenAllArrived();
  news = Promise.withResolvers();
  renameSync(elsewhere, path);
  expect(await news.promise).toBe(inbox);
  expect(await ask("open", { path })).toBe(200);
  expect(written.filter((line) => line.includes("    at "))).toEqual([]);
  expect(written).toHaveLength(2);
}, 60_000);
