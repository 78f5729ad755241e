import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { MimePart } from "../../infra/standins/mailbox/mime/part-tree.ts";
import { parsePartTree } from "../../infra/standins/mailbox/mime/part-tree.ts";
import { cleanUp, clientOf, historyIds, openMailbox, watchAll } from "./mailbox-fixture.ts";

afterEach(cleanUp);

const folder = join(import.meta.dirname, "../../infra/standins/sample-mailbox");

const mimeTypes = (part: MimePart): string[] => [part.mimeType, ...part.parts.flatMap(mimeTypes)];

describe("the sample mailbox", () => {
  it("holds mail of every kind, from reserved domains only", async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".eml"));
    expect(names.length).toBeGreaterThanOrEqual(36);
    const types = new Set<string>();
    for (const name of names) {
      const raw = await readFile(join(folder, name));
      for (const [, domain] of raw.toString("latin1").matchAll(/<[\w.+-]+@([\w.-]+)>|https?:\/\/([\w.-]+)/g)) {
        if (domain) expect(domain).toMatch(/(\.example|\bexample\.(com|org|net)|^lake|^sparbank)$/);
      }
      for (const type of mimeTypes(parsePartTree(raw))) types.add(type);
    }
    expect([...types]).toEqual(
      expect.arrayContaining([
        "multipart/mixed",
        "multipart/alternative",
        "multipart/related",
        "multipart/signed",
        "multipart/report",
        "message/rfc822",
        "text/calendar",
        "text/html",
        "application/pdf",
        "image/png",
      ]),
    );
  });

  it("reads right in every charset", async () => {
    const mailbox = await openMailbox({ path: folder });
    const client = clientOf(mailbox);
    const seen: string[] = [];
    for (const id of await historyIds(client, await watchAll(mailbox, client))) {
      const { data } = await client.users.messages.get({ userId: "me", id, format: "metadata" });
      const subject = data.payload?.headers?.find((field) => field.name === "Subject")?.value;
      seen.push(`${subject} | ${data.snippet}`);
      expect(seen.at(-1)).not.toMatch(/\ufffd/);
    }
    for (const [subject, snippet] of [
      ["Ihre Rechnung 2026-1187 über 249,00 €", "Guten Tag, anbei erhalten Sie"],
      ["Elternabend der 3b", "Erdgeschoß. Themen: Klassenfahrt nach Büsum"],
      ["L'appartement à Annecy", "jusqu’à 20 h"],
      ["来月の出張について", "大阪への出張"],
      ["样品已经寄出", "三件样品今天上午已经寄出"],
      ["دعوة إلى حفل تخرج سامي", "عزيزتي روبن"],
      ["Рукопись: вторая глава", "Посылаю вторую главу"],
      ["Zamówienie 5512", "Pani zamówienie 5512"],
      ["사진 고마워요", "할머니께서"],
      ["Crêpes dimanche ?", "On fait des crêpes"],
      ["Ata da reunião", "A obra do elevador começa"],
    ]) {
      expect(seen).toContainEqual(expect.stringMatching(new RegExp(`${subject?.replace("?", "\\?")}.*${snippet}`)));
    }
  });
});
