import { utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { maxWords, parseQuery } from "../../../device/knowledge/search/parse-query.ts";
import { search } from "../../../device/knowledge/search/search.ts";
import { temporaryStore } from "../setting.ts";
import { indexedFolder } from "./setting.ts";

test("15: quotes, minus, kind, project, from and before are read", () => {
  const query = parseQuery(
    'late "spring frost" -beer kind:PDF kind:.md project:"My Garden" from:2026-03 before:2026-06-01',
  );
  expect(query.wanted.map(({ text, isPhrase }) => [text, isPhrase])).toEqual([
    ["late", false],
    ["spring frost", true],
  ]);
  expect(query.unwanted.map(({ text }) => text)).toEqual(["beer"]);
  expect([query.kinds, query.project]).toEqual([["pdf", "md"], "My Garden"]);
  expect([query.fromMs, query.beforeMs]).toEqual([new Date(2026, 2, 1).getTime(), new Date(2026, 5, 1).getTime()]);
  expect(parseQuery("from:anna@example.com before:soon")).toMatchObject({
    sender: "anna@example.com",
    notes: [expect.objectContaining({ code: "no_date", text: expect.stringContaining("soon") })],
  });
  for (const given of ["from:2026-13-40", "from:32/13/2026", "after:-3", "before:2026-02-30"]) {
    expect(parseQuery(`tide ${given}`)).toMatchObject({
      sender: undefined,
      notes: [{ code: "no_date", values: { given } }],
    });
  }
  expect(parseQuery("from:4915")).toMatchObject({ notes: [] });
  expect(parseQuery("tide after:2026-06 before:2026-03")).toMatchObject({
    notes: [{ code: "no_time", values: { after: "2026-06", before: "2026-03" } }],
  });
  expect(parseQuery("https://example.com/a a:b").wanted.map(({ text }) => text)).toEqual([
    "https://example.com/a",
    "a:b",
  ]);
});

test("15: ten thousand words are cut to the first ones, which is said", () => {
  const query = parseQuery(Array.from({ length: 10_000 }, (_, at) => `word${at}`).join(" "));
  expect(query.wanted).toHaveLength(maxWords);
  expect(query.notes).toMatchObject([{ code: "many_words", text: expect.stringContaining(`first ${maxWords} words`) }]);
});

const hostile = [
  "AND OR NOT NEAR",
  'tide" OR "1',
  "tide* ^tide {tide} tide:",
  "body:tide - + ~ NEAR(tide table, 2)",
  "(a+)+$ .* [[:alpha:]] \\b(tide|table)\\b",
  "tide'); DROP TABLE words; --",
  "潮汐 tide مد وجزر прилив גאות",
  "\u202etide\u0000 \ud800 tide\u200b",
  '"""""" "tide table',
  "a ".repeat(40_000),
  '"'.repeat(30_000),
  "-".repeat(30_000),
  "kind:kind:kind: tide",
];

test("15: hostile searches end in an answer, and operators are words", async () => {
  const folder = indexedFolder({ "a.md": "The tide table of the harbour. AND so on." });
  await folder.index();
  for (const text of hostile) {
    const outcome = await folder.find(text).then(
      ({ hits }) => hits.length,
      (error: { code: string }) => error.code,
    );
    expect(typeof outcome === "number" || outcome === "usage", text.slice(0, 60)).toBe(true);
  }
  expect(await folder.paths("tide OR 1")).toEqual(["a.md"]);
  expect((await folder.find("AND")).hasAll).toBe(true);
});

test("15: where nothing is found, files whose text was not read are counted, and it is said where they are listed", async () => {
  const folder = indexedFolder({
    "a.md": "The tide table.",
    "empty.md": "",
    "large.md": "x".repeat(2 ** 20 + 1),
    "c.md": "Lanterns.",
  });
  await folder.index();
  const { notes, looked } = await folder.find("zeppelin");
  expect(looked).toMatchObject([{ files: 4 }]);
  expect(notes).toEqual([
    expect.stringMatching(/^Files of garden .* by name only: 2; .*scouts project files garden --state skipped$/),
  ]);
  // By their names they are found, and then nothing is amiss.
  expect(await folder.find("large")).toMatchObject({ hits: [{ path: "large.md" }], notes: [] });
});

test("15: any text is a search or holds no word", async () => {
  const folder = indexedFolder({ "a.md": "The tide table of the harbour." });
  await folder.index();
  const word = fc.constantFrom(
    "tide",
    '"',
    "-",
    "kind:",
    "(",
    "*",
    "^",
    "NEAR",
    "潮",
    "é",
    ":",
    "'",
    "\\",
    "from:",
    "\n",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(word, fc.string({ unit: "binary", maxLength: 6 })), { maxLength: 12 }),
      async (words) => {
        const outcome = await folder.find(words.join("")).then(
          () => "found",
          (error: { code: string }) => error.code,
        );
        expect(["found", "usage"]).toContain(outcome);
      },
    ),
    { numRuns: 150 },
  );
});

test("15: phrases, words that are not wanted, kinds and dates narrow a search", async () => {
  const folder = indexedFolder({
    "a.md": "late spring frost",
    "b.txt": "frost in spring, late",
    "c.ts": "const late = 'spring frost';",
  });
  await folder.index();
  expect((await folder.paths('"late spring frost"')).toSorted()).toEqual(["a.md", "c.ts"]);
  expect((await folder.paths("frost -const")).toSorted()).toEqual(["a.md", "b.txt"]);
  expect(await folder.paths("frost kind:code")).toEqual(["c.ts"]);
  expect(await folder.paths("frost kind:txt")).toEqual(["b.txt"]);
  expect(await folder.paths("frost from:2099")).toEqual([]);
  expect(await folder.paths("frost before:2001")).toEqual([]);
});

test("15: kind: without words lists the files of that kind, the newest first, and says where there may be more", async () => {
  const folder = indexedFolder({ "old.txt": "late frost", "new.txt": "a harbour", "c.ts": "const late = 1;" });
  for (const [name, day] of [
    ["old.txt", 1],
    ["new.txt", 2],
  ] as const)
    utimesSync(join(folder.root, name), day * 86_400, day * 86_400);
  await folder.index();
  expect(await folder.find("kind:txt")).toMatchObject({
    hits: [
      { path: "new.txt", hasAll: true },
      { path: "old.txt", hasAll: true },
    ],
    looked: [{ project: "garden", files: 3 }],
    notes: [],
  });
  expect(await folder.find("kind:.txt", 1)).toMatchObject({
    hits: [{ path: "new.txt" }],
    notes: ["Without words the newest files are listed, 1 at most: there may be more."],
  });
  expect(await folder.paths("kind:txt after:1970-01-03")).toEqual(["new.txt"]);
  expect(await folder.paths("kind:txt project:garden -frost")).toEqual(["new.txt"]);
  expect(await folder.find("kind:pdf")).toMatchObject({ hits: [], looked: [{ files: 3 }], notes: [] });
  expect(await folder.find("kind:task kind:answer")).toMatchObject({ hits: [], looked: [], notes: [] });
  folder.write(".scoutsignore", "new.txt\n");
  expect(await folder.paths("kind:txt")).toEqual(["old.txt"]);
});

test.each([
  ["as it is, without its quotation marks", 'frost project:"The Big House"'],
  ["in other letters and marks", "frost project:„the big house“"],
])("15: a project whose name has quotation marks is named %s", async (_, typed) => {
  const folder = indexedFolder({ "a.md": "late frost" }, temporaryStore(), 'The "Big"  House');
  await folder.index();
  expect(await folder.paths(typed)).toEqual(["a.md"]);
  await expect(folder.find("frost project:Big")).rejects.toMatchObject({ code: "project_unknown" });
});

test("15: of a search of a date alone that is none, that is said", async () => {
  const folder = indexedFolder({ "a.md": "frost" });
  await folder.index();
  await expect(folder.find("after:32/13/2026")).rejects.toThrow(/^after:32\/13\/2026 is not a day of the calendar/);
  await expect(folder.find("- -")).rejects.toMatchObject({ code: "usage" });
});

test("15: what is not found says where was looked, and what is near", async () => {
  const folder = indexedFolder({ "a.md": "The harbour lighthouse." });
  await folder.index();
  expect(await folder.find("lighthuose")).toMatchObject({
    hits: [],
    looked: [{ project: "garden", files: 1 }],
    near: ["lighthouse"],
  });
  const nearest = await folder.find("lighthouse zeppelin");
  expect([nearest.hasAll, nearest.hits.map(({ path }) => path)]).toEqual([false, ["a.md"]]);
  folder.write(".scoutsignore", "a.md\n");
  expect(await folder.find("lighthuose")).toMatchObject({ hits: [], near: [] });
});

test("15: nothing silent: a minus before a filter leaves nothing out, and the answer says so", () => {
  for (const given of ["-kind:md", "-project:Garden", "-from:Ada", "-before:2026"]) {
    const { unwanted, kinds, notes } = parseQuery(`frost ${given}`);
    expect({ unwanted, kinds, notes }).toMatchObject({
      unwanted: [],
      kinds: [],
      notes: [{ code: "no_without", values: { given } }],
    });
  }
  expect(parseQuery("frost -http:x").unwanted).toHaveLength(1);
});

test("nothing silent: of filters that are said twice the one that counts is told, and signs that no index has", () => {
  const notesOf = (typed: string) => parseQuery(typed).notes.map(({ code, values }) => [code, values]);
  expect(parseQuery("pump project:Garden project:House").project).toBe("House");
  for (const [typed, given, used] of [
    ["pump project:Garden project:House", "project:Garden", "project:House"],
    ["from:Ada pump from:Ben", "from:Ada", "from:Ben"],
    ["before:2026-03 before:2026-01", "before:2026-03", "before:2026-01"],
    ["after:2026-03 from:2026-01 pump", "after:2026-03", "from:2026-01"],
  ] as const)
    expect(notesOf(typed), typed).toEqual([["said_twice", { given, used }]]);
  expect(notesOf("project:Garden PROJECT:garden from:Ada after:2026-03 kind:pdf kind:md")).toEqual([]);
  expect(notesOf("pump 🌧️ -🎉")).toEqual([
    ["no_sign", { given: "🌧️" }],
    ["no_sign", { given: "-🎉" }],
  ]);
  expect(parseQuery("pump 🌧️").wanted.map(({ text }) => text)).toEqual(["pump"]);
  expect(notesOf("pump & hose - 3")).toEqual([]);
});

test("nothing silent: of a project without a folder it is said that none is linked, and not that a scan will read it", async () => {
  const { store } = indexedFolder();
  const { id } = store.projects.add("Attic");
  const { notes } = await search({ text: "pump", projectId: id, limit: 5 }, { store, now: Date.now });
  expect(notes.map(({ text }) => text)).toEqual([
    "No folder is linked to Attic, so there are no files to search; link one: scouts project link Attic <folder>",
  ]);
});
