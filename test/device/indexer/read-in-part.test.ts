import { expect, test } from "vitest";
import type { OpenPreparer } from "../../../device/folders/indexer/prepare.ts";
import { search } from "../../../device/knowledge/search/search.ts";
import { filePage } from "../../../device/projects/file-list.ts";
import { folderSetting } from "./setting.ts";

const long = { "long.md": "The beginning of it." };

/** As for a document of which no more is read. `isPart`: whether that is so. */
const reading =
  (isPart: () => boolean): OpenPreparer =>
  (files) => ({
    async prepare({ relPath, kind, sizeBytes, mtimeMs, contentHash }) {
      const content = new TextDecoder().decode(await files.read(relPath));
      const file = { relPath, kind, sizeBytes, mtimeMs, contentHash, content };
      return { outcome: "ready", file, tokens: null, ...(isPart() && { isPart: true }) };
    },
    close: async () => {},
  });

test("nothing silent: a file that was read in part says so where files are listed, counted and searched", async () => {
  const setting = await folderSetting({ ...long, "copy.md": long["long.md"] });
  const { store, projectId } = setting;

  const linked = await setting.link({ openPreparer: reading(() => true) });

  expect(linked.result.skipped.byReason).toEqual({ read_in_part: 2 });
  const { files } = filePage(store, projectId, { show: "all", words: "", from: 0, limit: 10 });
  expect(files.map(({ path, state, reason }) => [path, state, reason])).toEqual([
    ["copy.md", "current", "read_in_part"],
    ["long.md", "current", "read_in_part"],
  ]);
  const { notes } = await search({ text: "unfindable", projectId, limit: 3 }, { store, now: Date.now });
  expect(notes).toMatchObject([{ code: "texts_read_in_part", values: { project: "Papers", parts: 2 } }]);
});

test("a file that was read in part stays so in a later scan, until its content is another and is read whole", async () => {
  const setting = await folderSetting(long);
  const { store, projectId } = setting;
  let isPart = true;
  const openPreparer = reading(() => isPart);
  await setting.link({ openPreparer });

  expect((await setting.rescan({ openPreparer })).result.skipped.byReason).toEqual({ read_in_part: 1 });
  isPart = false;
  setting.write("long.md", "Short.");
  expect((await setting.rescan({ openPreparer })).result.skipped.byReason).toEqual({});
  expect(store.folderFiles.readInPart(projectId)).toBe(0);
});
