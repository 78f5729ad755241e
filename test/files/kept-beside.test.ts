import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { bytes, text } from "./expect-code.ts";

test.each([
  ["a character of two units where the name is cut", `${"a".repeat(59)}\u{1f600} and more.md`],
  ["all that a disk takes behind a dot", `Minutes 3.${"x".repeat(240)}`],
  ["as much in another script", `${"\u6f22".repeat(80)}.md`],
])("a conflict is kept beside the file whatever its name is like: %s", async (_, name) => {
  const temporaryRoot = mkdtempSync(join(tmpdir(), "scouts-beside-"));
  onTestFinished(() => rmSync(temporaryRoot, { recursive: true, force: true }));
  const files = new InMemoryProjectFiles({ [`d/${name}`]: "base" }, systemTimeAndIds);
  const view = await files.materialize({ temporaryRoot });
  writeFileSync(join(view.root, "d", name), "mine");
  await files.write(`d/${name}`, bytes("theirs"));
  const { changes } = await view.close();
  const [change] = changes;
  const beside = change?.action === "conflict" ? (change.keptBeside ?? "") : "";
  expect(beside).toMatch(/^d\/.*\.conflict-/);
  expect([text(await files.read(`d/${name}`)), text(await files.read(beside))]).toEqual(["theirs", "mine"]);
});
