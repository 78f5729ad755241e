import { expect, test } from "vitest";
import { filler, indexedFolder } from "./setting.ts";

const list = "name,url,username,password,note\nBank,https://bank.example,ann,correct-horse,the blue harbour\n";

test("a file that has become a list of passwords since it was indexed is not shown by a search", async () => {
  const folder = indexedFolder({ "notes.csv": `place;word\n${filler(60)}\n`, "a.md": `# Other\n\n${filler(60)}\n` });
  await folder.index();
  expect(await folder.paths("harbour")).toContain("notes.csv");
  folder.write("notes.csv", list);
  const told = JSON.stringify(await folder.find("harbour"));
  expect(["bank.example", "correct-horse", "blue harbour"].filter((trace) => told.includes(trace))).toEqual([]);
  expect(told).toContain("a.md");
});
