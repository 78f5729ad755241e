import { mkdirSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { unlinkFolder } from "../../../device/folders/indexer/unlink-folder.ts";
import { openIndexToWrite } from "../../../device/knowledge/index/index-file.ts";
import { type IndexedDocument, IndexWriter } from "../../../device/knowledge/index/index-writer.ts";
import { IndexSearch } from "../../../device/knowledge/search/index/index-search.ts";
import { parseQuery } from "../../../device/knowledge/search/parse-query.ts";
import { indexedText } from "../../../device/knowledge/text/indexed-text.ts";
import { circumstances, quick } from "../../rounds.ts";
import { docxWith } from "../scanner/documents.ts";
import { temporaryFolder } from "../setting.ts";
import { filler, indexedFolder } from "./setting.ts";

const canary = "quagmirezebra";
const withCanary = (words: number) => `# Notes\n\n${filler(words)}\n\nThe ${canary} sleeps.\n\n${filler(words, 2)}\n`;

test("15: what is in a folder is found with path, heading, lines and the text as it stands there", async () => {
  const text = `# Garden\n\nAbout ours.\n\n## Frost\n\n${filler(60)}\nLate frost kills the tomatoes in May.\n`;
  const folder = indexedFolder({ "notes/garden.md": text, "other.md": `# Other\n\n${filler(60)}` });
  expect(await folder.index()).toMatchObject({ indexed: 2, removed: 0 });
  const { hits, hasAll } = await folder.find("late frost");
  expect(hasAll).toBe(true);
  expect(hits[0]).toMatchObject({ path: "notes/garden.md", project: "garden", title: "Garden" });
  const [passage] = hits[0]?.passages ?? [];
  expect(passage?.text).toContain("Late frost kills the tomatoes in May.");
  expect(passage?.heading).toContain("Frost");
  const lines = text.split("\n").slice((passage?.startLine ?? 1) - 1, passage?.endLine);
  expect(lines.join("\n")).toContain(passage?.text.trim());
});

test("15: Chinese, Japanese and Korean are found by any two characters, a single one, and in a question", async () => {
  const folder = indexedFolder({
    "ja.md": "# 会議\n\n来週の会議は東京駅の近くで午後三時に行われます。",
    "ko.md": "# 회의\n\n다음 주 일정을 정해야 합니다. 회의는 부산에서 열립니다.",
    "zh.md": "# 合同\n\n供应商合同将于九月到期，需要提前通知。",
  });
  await folder.index();
  const found = await Promise.all(["東京", "일정", "合同", "水", "会議はどこですか"].map((text) => folder.paths(text)));
  expect(found.map(([first]) => first)).toEqual(["ja.md", "ko.md", "zh.md", undefined, "ja.md"]);
  expect(await folder.paths("부")).toEqual(["ko.md"]);
});

test("15: names in code are found by their parts, words without their accents, in any form", async () => {
  const folder = indexedFolder({
    "a.ts": "export function getUserProfile() { return load_account_row(); }",
    "b.md": "Le café Zürich était fermé; the libraries were moved.",
  });
  await folder.index();
  const found = await Promise.all(
    ["user profile", "getUserProfile", "account", "cafe zurich", "library"].map((text) => folder.paths(text)),
  );
  expect(found).toEqual([["a.ts"], ["a.ts"], ["a.ts"], ["b.md"], ["b.md"]]);
});

test("15: words are found though a soft hyphen, a vowel sign or a stretching stroke stands in one of the two spellings", async () => {
  const folder = indexedFolder({
    "ar.md": "السلام عليكم يا مُحَمَّد، مرحـــبا بك في إدارة أحمد",
    "de.md": "Die Donau\u00addampf\u00adschiff\u00adfahrt und der An\u2060ruf",
    "he.md": "שָׁלוֹם עולם",
  });
  await folder.index();
  const asked = [
    "محمد",
    "مُحَمَّد",
    "مرحبا",
    "مرحـبا",
    "ادارة احمد",
    "Donaudampfschifffahrt",
    "Donau\u00addampf",
    "Anruf",
    "שלום",
  ];
  const found = await Promise.all(asked.map((text) => folder.paths(text)));
  expect(found.map(([first]) => first)).toEqual([...Array(5).fill("ar.md"), ...Array(3).fill("de.md"), "he.md"]);
});

test("15: PDF and Word are found, and shown without being read again", async () => {
  const folder = indexedFolder({ "b.docx": docxWith("The lighthouse keeper retired") });
  await folder.index();
  const { hits } = await folder.find("lighthouse");
  expect(hits[0]?.passages[0]?.text).toContain("The lighthouse keeper retired");
});

test("15: a second scan reads nothing; one file that changed is read alone", async () => {
  const folder = indexedFolder({ "a.md": withCanary(50), "b.md": "the second" });
  await folder.index();
  expect(await folder.index()).toBeUndefined();
  folder.write("b.md", "another hippopotamus");
  expect(await folder.index()).toMatchObject({ indexed: 1, removed: 0 });
  expect(folder.opened.filter((path) => path === "a.md")).toEqual([]);
  expect(await folder.paths("hippopotamus")).toEqual(["b.md"]);
  expect(await folder.paths("second")).toEqual([]);
});

test.each(circumstances(["deny", "ignore", "delete"] as const))(
  "15: of a file somebody decides to %s nothing is left in database and log",
  async (how) => {
    const folder = indexedFolder({
      "secret/a.md": withCanary(400),
      "b.md": `plainly ${filler(400, 3)}`,
      "c.md": filler(300, 5),
    });
    await folder.index();
    expect(folder.bytes().includes(canary)).toBe(true);
    if (how === "deny") folder.write(".scouts.json", JSON.stringify({ read: { deny: ["secret/"] } }));
    if (how === "ignore") folder.write(".scoutsignore", "secret/\n");
    if (how === "delete") rmSync(join(folder.root, "secret"), { recursive: true });
    expect(await folder.index()).toMatchObject({ removed: 1 });
    expect(folder.bytes().includes(canary)).toBe(false);
    expect(folder.bytes().includes("a.md")).toBe(false);
    expect(await folder.paths("plainly")).toEqual(["b.md"]);
  },
);

test("15: rules are obeyed at once, before any scan", async () => {
  const folder = indexedFolder({ "secret/a.md": withCanary(20), "b.md": "nothing of it" });
  await folder.index();
  expect(await folder.paths(canary)).toEqual(["secret/a.md"]);
  folder.write("secret/.scoutsignore", "a.md\n");
  expect(await folder.paths(canary)).toEqual([]);
  rmSync(join(folder.root, "secret/.scoutsignore"));
  folder.write(".scouts.json", JSON.stringify({ read: { ask: ["secret/"] } }));
  expect(await folder.paths(canary)).toEqual([]);
});

test("15: a folder that its own rules close is not counted as looked at, and the answer says why", async () => {
  const folder = indexedFolder({ "a.md": withCanary(20) });
  await folder.index();
  folder.write(".scouts.json", "{ no rules");
  expect(await folder.find(canary)).toMatchObject({
    hits: [],
    near: [],
    looked: [{ files: 0, passages: 0 }],
    notes: [expect.stringMatching(/\.scouts\.json of .* cannot be understood.*scouts config check/)],
  });
});

test("15: a folder that is unlinked leaves no byte", async () => {
  const folder = indexedFolder({ "a.md": withCanary(20) });
  await folder.index();
  unlinkFolder(folder.store, folder.project);
  expect(folder.bytes()).toHaveLength(0);
  expect((await folder.find(canary)).hits).toEqual([]);
});

test("15: credentials are neither found nor shown", async () => {
  const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const folder = indexedFolder({ "a.md": `# Deploy\n\nThe walrus token is ${token} and no other.` });
  await folder.index();
  expect(folder.bytes().includes(token.toLowerCase())).toBe(false);
  expect(await folder.paths(token)).toEqual([]);
  const { hits } = await folder.find("walrus");
  expect(hits[0]?.passages[0]?.text).toContain("redacted:");
  expect(JSON.stringify(hits)).not.toContain(token);
});

test("15: what is shown is what the file says now, also when it changed since", async () => {
  const folder = indexedFolder({ "a.md": `${filler(300)}\n\nThe ${canary} sleeps.\n` });
  await folder.index();
  folder.write("a.md", `At the very beginning: the ${canary} is awake.\n\n${filler(300)}\n`);
  const { hits } = await folder.find(canary);
  expect(hits[0]?.passages).toMatchObject([{ startLine: 1, hasChanged: true }]);
  expect(hits[0]?.passages[0]?.text).toContain("is awake");
  rmSync(join(folder.root, "a.md"));
  expect((await folder.find(canary)).hits.flatMap(({ passages }) => passages)).toEqual([]);
});

test.skipIf(quick)("15: a line of 900 kB is cut into passages, and found at its end", async () => {
  const line = `${filler(130_000).slice(0, 900_000)} ${canary} end`;
  const folder = indexedFolder({ "a.json": `{"x": "${line}"}` });
  await folder.index();
  const { hits } = await folder.find(canary);
  expect(hits[0]?.passages[0]).toMatchObject({ startLine: 1, endLine: 1 });
  expect(hits[0]?.passages[0]?.text).toContain(canary);
  expect(hits[0]?.passages[0]?.text.length).toBeLessThan(2_000);
});

test.skipIf(quick)("15: copies and versions that differ by a word are one hit", async () => {
  const text = `# Plan\n\n${Array.from({ length: 120 }, (_, at) => `step${at} ${at * 7}`).join(" ")}\n\nThe ${canary}.`;
  const folder = indexedFolder({
    "plan.md": text,
    "plan-old.md": text.replace("step60", "step sixty"),
    "copy.md": text,
  });
  await folder.index();
  const { hits } = await folder.find(canary);
  expect(hits).toHaveLength(1);
  expect([hits[0]?.path, ...(hits[0]?.alike ?? [])].toSorted()).toEqual(["copy.md", "plan-old.md", "plan.md"]);
});

test.skipIf(quick)("15: versions of one file are one hit, with the others from the newest to the oldest", async () => {
  const words = Array.from({ length: 160 }, (_, at) => `clause${at}`);
  const version = (changed: number) => `# Lease\n\n${words.with(changed, "amended").join(" ")}\n\nThe ${canary}.\n`;
  const folder = indexedFolder({
    "lease (1).md": version(20),
    "lease-final.md": version(60),
    "lease-2024.md": version(100),
    "other.md": `# Other\n\nA ${canary} of another kind. ${filler(150)}\n`,
  });
  const times = { "lease (1).md": 1_600_000_000, "lease-final.md": 1_790_000_000, "lease-2024.md": 1_700_000_000 };
  for (const [path, seconds] of Object.entries(times)) utimesSync(join(folder.root, path), seconds, seconds);
  await folder.index();
  const { hits } = await folder.find(canary);
  expect(hits.map(({ path, alike }) => [path, ...alike]).toSorted()).toEqual([
    ["lease-final.md", "lease-2024.md", "lease (1).md"],
    ["other.md"],
  ]);

  // The one that says most of it, and the others by their age, however much of it they say.
  folder.write("lease-2024.md", version(100).replace(canary, `${canary} ${canary} ${canary}`));
  folder.write("lease (1).md", version(20).replace(canary, `${canary} ${canary}`));
  for (const [path, seconds] of Object.entries(times)) utimesSync(join(folder.root, path), seconds, seconds);
  await folder.index();
  const [first] = (await folder.find(`${canary} lease`)).hits;
  expect([first?.path, ...(first?.alike ?? [])]).toEqual(["lease-2024.md", "lease-final.md", "lease (1).md"]);

  // A version that is written over the file is no second hit.
  folder.write("lease-final.md", `${version(60)}\nSigned with a quill.\n`);
  await folder.index();
  const again = await folder.find(`${canary} lease`);
  expect(again.hits.filter(({ path }) => path.startsWith("lease"))).toHaveLength(1);
  expect(again.hits.flatMap(({ path, alike }) => [path, ...alike]).toSorted()).toEqual([
    "lease (1).md",
    "lease-2024.md",
    "lease-final.md",
    "other.md",
  ]);
});

test("15: a moved file is found where it is", async () => {
  const folder = indexedFolder({ "a.md": withCanary(20) });
  await folder.index();
  renameSync(join(folder.root, "a.md"), join(folder.root, "b.md"));
  await folder.index();
  expect(await folder.paths(canary)).toEqual(["b.md"]);
});

test.each(
  circumstances([
    ["cut short", (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    [
      "no database",
      (path: string) => writeFileSync(path, "not a database at all, but long enough to be taken for one".repeat(99)),
    ],
  ] as const),
)("15: an index that is damaged (%s) is said to be so, made anew, and finds again", async (_, damage) => {
  const folder = indexedFolder({ "a.md": withCanary(3_000), "b.md": filler(3_000, 4) });
  await folder.index();
  damage(folder.indexFile);
  const damaged = await folder.find(canary);
  expect([damaged.hits, damaged.notes.join(" ")]).toEqual([[], expect.stringContaining("damaged")]);
  expect(await folder.index()).toMatchObject({ indexed: 2, wasRebuilt: true });
  expect(await folder.paths(canary)).toEqual(["a.md"]);
});

test.skipIf(quick)("15: a clock that steps changes neither what is found nor its order", async () => {
  const folder = indexedFolder({ "a.md": `# ${canary}\n\nThe ${canary}.`, "b.md": `${filler(150)} ${canary}` });
  await folder.index();
  const order = await folder.paths(canary);
  const { search } = await import("../../../device/knowledge/search/search.ts");
  for (const nowMs of [0, Date.now() - 9e11, 8e15]) {
    const { hits } = await search({ text: canary, limit: 10 }, { store: folder.store, now: () => nowMs });
    expect(hits.map(({ path }) => path)).toEqual(order);
  }
});

test.skipIf(quick)("15: size at most 1.2 times the text", async () => {
  const tree = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.md`, prose(9_000, at)]));
  const folder = indexedFolder(tree);
  await folder.index();
  const text = Object.values(tree).reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  expect(folder.bytes().length / text).toBeLessThan(1.2);
});

/** Words as often as in a language: the n-th of 20,000 one n-th as often as the first (Zipf). */
function prose(words: number, seed: number): string {
  let state = seed + 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: words }, () => `w${Math.floor(20_000 ** next()).toString(36)}ord`).join(" ");
}

test("15: a disk that is full is said by its name, what was written before stays found, and it goes on afterwards", () => {
  const { connection } = openIndexToWrite(join(temporaryFolder(), "prj.sqlite"));
  onTestFinished(() => connection.close());
  const writer = new IndexWriter(connection);
  const document = (path: string, words: number): IndexedDocument => {
    const facts = { hash: path, kind: "text", tag: "doc", ext: "md", about: "", sizeBytes: 1, mtimeMs: 1 };
    return { path, ...facts, text: indexedText(prose(words, words), "prose", false) };
  };
  writer.put([document("a.md", 100)]);
  connection.exec(
    `PRAGMA max_page_count = ${Number(connection.prepare("PRAGMA page_count").get()?.["page_count"]) + 4}`,
  );
  expect(() => writer.put([document("b.md", 200_000)])).toThrow(
    expect.objectContaining({ code: "store_full", message: expect.stringContaining("free some and try again") }),
  );
  expect([...writer.known().keys()]).toEqual(["a.md"]);
  // There is space again: it goes on where it was.
  connection.exec("PRAGMA max_page_count = 1000000");
  writer.put([document("b.md", 20_000)]);
  expect([...writer.known().keys()]).toEqual(["a.md", "b.md"]);
  expect(new IndexSearch(connection).find(parseQuery("w1ord"), 5, 0).length).toBeGreaterThan(0);
});

test("15: an index that cannot be written stops no scan, and is told", async () => {
  const folder = indexedFolder({ "a.md": withCanary(20) });
  mkdirSync(folder.indexFile, { recursive: true });
  const index = await folder.index();
  expect(index?.problem).toMatchObject({ code: "folder_unusable", message: expect.stringContaining("search index") });
  expect(folder.manifest()).toHaveLength(1);
});

test.skipIf(quick)("15: one file that says a word all over leaves room for others that say it", async () => {
  const everywhere = Array.from({ length: 150 }, (_, at) => `# Part ${at}\n\n${canary} ${canary} ${filler(150, at)}`);
  const folder = indexedFolder({
    "log.md": everywhere.join("\n\n"),
    ...Object.fromEntries(["a", "b", "c"].map((name, at) => [`${name}.md`, `${prose(300, at)} ${canary} ${name}`])),
  });
  await folder.index();
  expect((await folder.paths(canary)).toSorted()).toEqual(["a.md", "b.md", "c.md", "log.md"]);
});
