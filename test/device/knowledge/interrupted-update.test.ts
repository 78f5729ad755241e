import { expect, test } from "vitest";
import { indexedFolder } from "./setting.ts";

const stopped = () => AbortSignal.abort();
const partly = /Not all of garden is in the search index yet/;

test("nothing lost: files whose indexing was interrupted after the scan are put in by the next scan, that finds nothing new", async () => {
  const folder = indexedFolder({ "a.md": "the first hippopotamus" });
  await folder.index();
  folder.write("b.md", "the second giraffe");
  await expect(folder.index(stopped())).rejects.toMatchObject({ code: "Cancelled" });
  expect(await folder.paths("giraffe")).toEqual([]);
  expect(await folder.index()).toMatchObject({ indexed: 1 });
  expect(await folder.paths("giraffe")).toEqual(["b.md"]);
});

test("nothing silent: a search says of which projects not all is in the index, until it is", async () => {
  const folder = indexedFolder({ "a.md": "the first hippopotamus" });
  await expect(folder.index(stopped())).rejects.toMatchObject({ code: "Cancelled" });
  expect((await folder.find("hippopotamus")).notes).toEqual([expect.stringMatching(partly)]);
  await folder.index();
  expect((await folder.find("hippopotamus")).notes).toEqual([]);
  folder.write("b.md", "the second giraffe");
  await expect(folder.index(stopped())).rejects.toMatchObject({ code: "Cancelled" });
  expect((await folder.find("hippopotamus")).notes).toEqual([expect.stringMatching(partly)]);
});
