import { expect, test } from "vitest";
import { AuditTrail } from "../../device/access/audit/trail.ts";
import { openProjectDatabase } from "../../device/access/open-access.ts";
import { contentHash } from "../../device/files/content-hash.ts";
import { httpProgram } from "../console/http-program.ts";
import { startProject } from "../console/project-home.ts";
import { rounds } from "../rounds.ts";
import { lostByPrograms } from "./program-orders.ts";

const hashOf = (text: string) => contentHash(Buffer.from(text));
const writers = rounds(100);
const orders = rounds(100);

test(`of ${writers} programs that write over one content at once one is told yes, and the file and its history have its words`, async () => {
  const project = await startProject({ "a.md": "base\n" });
  const http = httpProgram(project);
  const texts = Array.from({ length: writers }, (_, n) => `mine ${n}\n`);
  const answers = await Promise.all(
    texts.map((text) => http.put("/content/a.md", text, { "if-match": `"${hashOf("base\n")}"` })),
  );
  const won = texts.filter((_, n) => answers[n]?.status === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(writers - 1);
  expect((await http.get("/content/a.md")).body).toMatchObject({ text: won[0] });
  const { body } = await http.get("/history/a.md");
  const { versions } = body as { versions: { hash: string }[] };
  expect(versions.map(({ hash }) => hash)).toEqual([won[0] ?? "", "base\n"].map(hashOf));
});

test(`${writers} programs that each add a line, and read again when they came too late, lose none of them`, async () => {
  const project = await startProject({ "a.md": "base\n" });
  const { home, folder } = project;
  const http = httpProgram(project);
  const add = async (line: string) => {
    for (;;) {
      const { body, etag } = await http.get("/content/a.md");
      const { text } = body as { text: string };
      const { status } = await http.put("/content/a.md", `${text}${line}`, { "if-match": etag });
      if (status === 200) return;
      expect([412, 503]).toContain(status);
    }
  };
  // An allowance of calls is for one token: a hundred that begin anew need more than one has.
  const few = Array.from({ length: Math.min(writers, 25) }, (_, n) => `line ${n}\n`);
  await Promise.all(few.map(add));
  const { body } = await http.get("/content/a.md");
  const { text } = body as { text: string };
  expect(text.split("\n").filter(Boolean).toSorted()).toEqual(["base\n", ...few].map((line) => line.trim()).toSorted());
  const database = openProjectDatabase(home.store.dataFolder, folder.root);
  try {
    const trail = new AuditTrail(database.store, Date.now);
    expect(trail.verify().ok).toBe(true);
    // Each change begins where the one before has ended: nothing was written over.
    let at = hashOf("base\n");
    let changes = 0;
    for (const { files, outcome } of trail.records()) {
      for (const { versionId, beforeHash, afterHash } of outcome === "ok" ? files : []) {
        if (versionId === null) continue;
        expect(beforeHash).toBe(at);
        at = afterHash ?? "";
        expect(contentHash(database.store.contents.get(at) ?? new Uint8Array())).toBe(at);
        changes += 1;
      }
    }
    expect([changes, at]).toEqual([few.length, hashOf(text)]);
  } finally {
    database.close();
  }
});

test(`${orders} orders in which the console, HTTP, the command line, MCP and a tool write one project lose nothing`, async () => {
  const lost: string[] = [];
  for (let seed = 1; seed <= orders; seed++) lost.push(...(await lostByPrograms(seed)));
  expect(lost).toEqual([]);
});

test("a lost update is noticed: writers without a condition lose some", async () => {
  const lost: string[] = [];
  for (let seed = 1; seed <= 10; seed++) lost.push(...(await lostByPrograms(seed, { isBlind: true })));
  expect(lost.length).toBeGreaterThan(0);
});
