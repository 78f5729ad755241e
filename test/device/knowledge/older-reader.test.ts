import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ProjectFilesError } from "../../../device/files/errors.ts";
import { filesToSummarize } from "../../../device/folders/scanner/scan-project.ts";
import { isReadByOlder, updateIndex } from "../../../device/knowledge/index/update-index.ts";
import { indexedText } from "../../../device/knowledge/text/indexed-text.ts";
import { filler, type IndexedFolder, indexedFolder } from "./setting.ts";

/** The index as a program left it that found no words in files, knew of no versions of readers, and had vectors. */
function asOfOlder({ indexFile }: IndexedFolder, more = ""): void {
  const connection = new DatabaseSync(indexFile);
  connection.exec(`
    DELETE FROM words;
    INSERT OR REPLACE INTO vectors SELECT id, x'00' FROM passages;
    DELETE FROM facts WHERE name = 'readers';
    ALTER TABLE documents DROP COLUMN reader;
    ${more}
  `);
  connection.close();
}

const vectorsOf = ({ indexFile }: IndexedFolder): number => {
  const connection = new DatabaseSync(indexFile, { readOnly: true });
  try {
    return Number(connection.prepare("SELECT count(*) AS n FROM vectors").get()?.["n"]);
  } finally {
    connection.close();
  }
};

test("nothing silent: what an older reader has read is read again, once, and found; nothing else is", async () => {
  const folder = indexedFolder({
    "a.md": `# Pump\n\nThe pump is in the shed. ${filler(60)}\n`,
    "b.txt": "Watering.\n",
  });
  await folder.index();
  expect(isReadByOlder(folder.store, folder.project.id)).toBe(false);
  asOfOlder(folder);
  expect([isReadByOlder(folder.store, folder.project.id), await folder.paths("pump")]).toEqual([true, []]);
  const vectors = vectorsOf(folder);

  expect(await folder.index()).toMatchObject({ indexed: 2, wasRebuilt: false });
  expect(await folder.paths("pump")).toEqual(["a.md"]);
  expect(isReadByOlder(folder.store, folder.project.id)).toBe(false);
  // Each cost tokens, and what they stand for has not changed.
  expect(vectorsOf(folder)).toBe(vectors);
  expect(await folder.index()).toBeUndefined();
});

test("vectors of a text that is another now go, and only those", async () => {
  const folder = indexedFolder({ "a.md": "# Pump\n\nThe pump.\n", "b.txt": "Watering.\n" });
  await folder.index();
  asOfOlder(folder, "UPDATE documents SET chars = 1 WHERE path = 'a.md'");
  const vectors = vectorsOf(folder);
  await folder.index();
  expect(vectors - vectorsOf(folder)).toBe(2);
});

test("a file in which an older reader found nothing is found, and wants a summary; the others keep theirs", async () => {
  const folder = indexedFolder({ "a.md": "# Pump\n\nThe pump.\n", "b.txt": "Watering.\n" });
  folder.summarize(await folder.scan());
  const { store, project } = folder;
  const hash = store.folderFiles.find(project.id, "a.md")?.contentHash ?? "";
  await folder.index();
  store.folderFiles.setSkipped(project.id, "a.md", hash, "no_text");
  asOfOlder(folder);
  expect(filesToSummarize(store, project.id)).toEqual([]);

  await folder.index();
  expect(await folder.paths("pump")).toEqual(["a.md"]);
  expect(filesToSummarize(store, project.id)).toMatchObject([{ relPath: "a.md", kind: "text" }]);
  expect(store.folderFiles.find(project.id, "b.txt")).toMatchObject({ summary: "about b.txt" });
});

test("nothing twice: reading again that is interrupted goes on where it was", async () => {
  const names = Array.from({ length: 250 }, (_, at) => `f${at}.txt`);
  const folder = indexedFolder(Object.fromEntries(names.map((name) => [name, `Text of ${name}\n`])));
  await folder.index();
  asOfOlder(folder);
  const { store, project } = folder;
  let read = 0;
  const again = (end: number) =>
    updateIndex({
      store,
      projectId: project.id,
      holds: () => true,
      async readText(file) {
        read++;
        if (read > end) throw new ProjectFilesError("Cancelled");
        return indexedText(`Text of ${file.relPath}\n`, "prose", false);
      },
    });
  // What is read third is put in only when the first hundred are.
  await expect(again(210)).rejects.toMatchObject({ code: "Cancelled" });
  const before = read;
  expect(isReadByOlder(store, project.id)).toBe(true);
  const rest = await again(Number.POSITIVE_INFINITY);
  expect(rest.indexed).toBeLessThanOrEqual(150);
  expect(read - before).toBe(rest.indexed);
  expect(isReadByOlder(store, project.id)).toBe(false);
});
