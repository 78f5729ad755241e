import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../device/setting.ts";
import { inBucket, onDisk, type PlacedProject } from "./two-homes.ts";

const tree = {
  "README.md": "# The garden\n\nWhat grows where.\n",
  "watering.md": "The pump is in the shed behind the house.\nWater the beds on Thursday evening.\n",
  "plans/beds.md": "# Beds\n\nTomatoes go to the south bed.\n",
  "plans/déjà vu [1].txt": "An umlaut ü and a tab\tin it.\n",
  "private/diary.md": "Nobody reads this.\n",
  ".scoutsignore": "private/\n",
  ".env": "PASSWORD=not-for-anybody\n",
};
const ofGarden = ["--project", "Garden"];
const patch = `*** Begin Patch
*** Update File: watering.md
-Water the beds on Thursday evening.
+Water the beds on Friday evening.
*** Add File: plans/new.md
+New.
*** End Patch
`;

/** Each in both places, one after the other: the command, and a folder for a file it reads. */
const table: readonly (readonly [string, (folder: string) => string[]])[] = [
  ["lists projects", () => ["project", "list"]],
  ["lists the manifest", () => ["project", "files", "Garden"]],
  ["says what agents are told", () => ["project", "manifest", "Garden"]],
  ["searches", () => ["search", "pump"]],
  ["lists files", () => ["files", "list", ...ofGarden]],
  ["lists a directory by globs", () => ["files", "list", "plans", "--glob", "*.md", ...ofGarden]],
  ["reads a file", () => ["files", "read", "plans/déjà vu [1].txt", ...ofGarden]],
  ["reads lines", () => ["files", "read", "watering.md", "--lines", "2:2", ...ofGarden]],
  ["searches files", () => ["files", "grep", "bed", ...ofGarden]],
  ["searches by an expression", () => ["files", "grep", "^#.*", "--regex", ...ofGarden]],
  ["opens the documents to begin with", () => ["files", "open", ...ofGarden]],
  ["excerpts", () => ["files", "excerpt", "README.md", ...ofGarden]],
  ["summarises", () => ["files", "summary", "README.md", ...ofGarden]],
  ["refuses a credential store", () => ["files", "read", ".env", ...ofGarden]],
  ["says that a file is missing", () => ["files", "read", "none.md", ...ofGarden]],
  ["does not leave the folder", () => ["files", "read", "../other", ...ofGarden]],
  ["tries a patch", (folder) => ["files", "patch", written(folder, patch), "--dry-run", ...ofGarden]],
  ["applies a patch", (folder) => ["files", "patch", written(folder, patch), "--yes", ...ofGarden]],
  ["does not apply it twice", (folder) => ["files", "patch", written(folder, patch), "--yes", ...ofGarden]],
  ["reads what was changed", () => ["files", "read", "watering.md", ...ofGarden]],
  ["keeps the history", () => ["files", "history", "watering.md", ...ofGarden]],
  ["shows the difference", () => ["files", "diff", "watering.md", ...ofGarden]],
  ["counts", () => ["files", "stats", ...ofGarden]],
  ["proves its trail", () => ["audit", "verify", ...ofGarden]],
  ["replays its trail", () => ["audit", "replay", ...ofGarden]],
];

function written(folder: string, text: string): string {
  const file = path.join(folder, "change.patch");
  writeFileSync(file, text);
  return file;
}

/** What is told, without what must differ: where the folder is, ids, times, hashes that times go into. */
const likened = (text: string, { folderPath, store }: PlacedProject): string =>
  [
    [JSON.stringify(folderPath).slice(1, -1), "<folder>"],
    [store.dataFolder, "<data>"],
  ]
    .reduce((told, [from = "", to = ""]) => told.replaceAll(from, to), text)
    .replaceAll(/\b(?:prj|ver|run)_[0-9A-Z]{26}/g, "<id>")
    .replaceAll(/"(?:database|headHash|score|tokens)": [^\n]*/g, "<other>")
    .replaceAll(/\b1[0-9]{12}(?:\.\d+)?\b/g, "<time>");

/** The commands follow one another: later ones tell what earlier ones did. */
test("every command on a project's files does in a bucket what it does on this disk", async () => {
  const places = [await onDisk(tree), await inBucket(tree)];
  for (const [what, words] of table) {
    const [disk, bucket] = await Promise.all(places.map((place) => told(place, words(temporaryFolder()))));
    expect(bucket, what).toEqual(disk);
  }
});

async function told(place: PlacedProject, words: readonly string[]) {
  const { code, stdout, stderr } = await place.run(...words);
  return { code, stdout: likened(stdout, place), stderr: likened(stderr, place) };
}
