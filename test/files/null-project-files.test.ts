import { expect, it } from "vitest";
import { NullProjectFiles } from "../../device/files/backends/null-project-files.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import { bytes, collect, expectCode } from "./expect-code.ts";

const files: ProjectFiles = new NullProjectFiles();

it("without a project, whatever needs a file fails with NoProjectFiles", async () => {
  const attempts = [
    files.read("f"),
    files.write("f", bytes("x")),
    files.metadata("f"),
    files.delete("f"),
    files.rename("f", "g"),
    files.materialize(),
    files.canonical("f"),
  ];
  for (const attempt of attempts) await expectCode(attempt, "NoProjectFiles");
});

it("without a project, listings are empty and nothing exists", async () => {
  expect(await files.listDir("")).toEqual([]);
  expect(await collect(files.walk())).toEqual([]);
  expect(await collect(files.grep("x"))).toEqual([]);
  expect(await files.exists("f")).toBe(false);
  expect(files.displayRoot).toBe("<no project>");
});
