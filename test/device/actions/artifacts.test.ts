import { expect, test } from "vitest";
import { runArtifacts } from "../../../device/actions/run-artifacts.ts";
import { Artifacts } from "../../../device/artifacts/artifacts.ts";
import { InMemoryProjectFiles } from "../../../device/files/backends/in-memory-project-files.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { setting } from "./setting.ts";

let calls = 0;
const inRun = (artifacts: Artifacts, run = "run_x") =>
  runArtifacts(artifacts, { threadId: run, agent: "home", newCallId: () => `call-${calls++}` });
const inMemory = () => new Artifacts({ ...systemTimeAndIds, files: new InMemoryProjectFiles({}, systemTimeAndIds) });

const table = (rows: number) =>
  ["bed,plant,kilos", ...Array.from({ length: rows }, (_, at) => `${at},plant ${at % 7},${at * 2}`)].join("\n");
const idIn = (text: string) => /run_x\/answer\/[\w.]+/.exec(text)?.[0] ?? "";

test("P5: a long result stays on the device: its beginning is shown, and the rest can be asked for", async () => {
  const lines = Array.from({ length: 3_000 }, (_, at) => `match number ${at} with some words behind it`).join("\n");
  const { table: actions, projectId } = setting({ "a.txt": lines }, { artifacts: inRun(inMemory()) });
  const request = { project_id: projectId, pattern: "match", maxMatches: 2_000 };

  const { text } = await actions.run("grep_files", request, "cal_1");

  expect(text.length).toBeLessThan(26_000);
  expect(text).toMatch(/^\{"artifact":"run_x\/answer\/cal_1\.\w+"/);
  const found = await actions.run("artifact_grep", { pattern: "number 900 ", ids: [idIn(text)] });
  expect(found.text).toContain("match number 900 with some words");
});

test("data that is too long is described, and can be queried", async () => {
  const { table: actions, projectId } = setting({ "harvest.csv": table(3_000) }, { artifacts: inRun(inMemory()) });
  const request = { project_id: projectId, relative_path: "harvest.csv" };

  const { text, filesRead } = await actions.run("read_project_folder_file", request, "cal_1");

  expect(filesRead).toEqual([{ projectId, path: "harvest.csv" }]);
  expect(text).toContain("3000 rows");
  expect(text.length).toBeLessThan(6_000);
  const answer = await actions.run("artifact_query", { id: idIn(text), query: "[?bed == `2999`].kilos" });
  expect(answer.text).toContain("5998");
});

test("a document that is too long shows its beginning, and all of it can be searched", async () => {
  const words = `${"word ".repeat(10_000)}the last sentence`;
  const { table: actions, projectId } = setting(
    { "book.pdf": "%PDF" },
    {
      artifacts: inRun(inMemory()),
      extract: async () => ({ outcome: "text", text: words, tokens: 10_000, redactions: 0 }),
    },
  );
  const { text } = await actions.run(
    "read_project_folder_file",
    { project_id: projectId, relative_path: "book.pdf" },
    "cal_1",
  );
  expect(text).toContain("Characters 0 to 24000 of 50017.");
  const end = await actions.run("artifact_read", { id: idIn(text), startChar: 50_000 });
  expect(end.text).toContain("the last sentence");
});

test("a run reaches its own artifacts and no other's", async () => {
  const artifacts = inMemory();
  const first = setting({ "harvest.csv": table(3_000) }, { artifacts: inRun(artifacts) });
  const request = { project_id: first.projectId, relative_path: "harvest.csv" };
  const { text } = await first.table.run("read_project_folder_file", request, "cal_1");
  const second = setting({}, { artifacts: inRun(artifacts, "run_y") });
  expect(await second.table.run("artifact_read", { id: idIn(text) })).toMatchObject({ error: "refused" });
  expect(await second.table.run("artifact_query", { id: { $artifact: idIn(text) }, query: "@" })).toMatchObject({
    error: "invalid_arguments",
  });
});

test("an argument may stand for an artifact: it is filled in here", async () => {
  const { table: actions, projectId } = setting(
    { "harvest.csv": table(3_000), "note.txt": "the bed is north" },
    { artifacts: inRun(inMemory()) },
  );
  const request = { project_id: projectId, relative_path: "harvest.csv" };
  const { text } = await actions.run("read_project_folder_file", request, "cal_1");
  // Far longer than a pattern may be, which shows that it arrived.
  const pattern = { $artifact: idIn(text), as: "text" };
  expect(await actions.run("grep_files", { project_id: projectId, pattern })).toMatchObject({
    error: "invalid_arguments",
    text: expect.stringContaining("pattern"),
  });
});
