import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { openArtifacts } from "../../device/artifacts/open-artifacts.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Vault } from "../../device/vault/vault.ts";
import { Screen } from "../device/screen.ts";
import { metadataOf, originOf, temporaryFolder } from "./setting.ts";

function setting() {
  const data = temporaryFolder();
  const artifacts = openArtifacts(data, systemTimeAndIds, new Vault(data));
  const scouts = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const context = { io, environment: readEnvironment({}), workingFolder: data, ...systemTimeAndIds };
    const folder = words.includes("--data") ? [] : ["--data", data];
    const code = await runCommand(["artifacts", ...words, ...folder], context, "1.2.3");
    return { code, stdout: stdout.written, stderr: stderr.written };
  };
  return {
    data,
    artifacts,
    scouts,
    json: async (...words: string[]) => JSON.parse((await scouts(...words, "--json")).stdout),
  };
}

test("a device without artifacts says so", async () => {
  expect(await setting().scouts("list")).toEqual({ code: 0, stdout: "No artifacts.\n", stderr: "" });
});

test("list, show, query, stats and prune from the command line", { timeout: 240_000 }, async () => {
  const { artifacts, scouts, json } = setting();
  const rows = metadataOf(await artifacts.keep([{ name: "a\u001b[31m" }, { name: "b" }], originOf("rows")));
  const log = metadataOf(await artifacts.keep("one\ntwo\nthree\n", originOf("log")));
  expect((await json("list")).map(({ id }: { id: string }) => id).sort()).toEqual([log.id, rows.id]);
  expect((await scouts("list")).stdout).toContain('JSON array of 2 items with keys "name"');
  const shown = await scouts("show", rows.id);
  expect(shown.code).toBe(0);
  expect(shown.stdout).not.toContain("\u001b");
  // A person has commands, and none of a model's tools.
  expect(shown.stdout).toContain(
    `Next: scouts artifacts query ${rows.id} '[0:5]', or scouts artifacts grep TEXT ${rows.id}\n`,
  );
  const shownLog = (await scouts("show", log.id)).stdout;
  expect(shownLog).toContain(
    `Next: scouts artifacts grep TEXT ${log.id}, or scouts artifacts show ${log.id} --lines 1-20\n`,
  );
  expect(shown.stdout + shownLog).not.toContain("artifact_");
  expect((await scouts("show", log.id, "--lines", "2-3")).stdout).toBe("two\nthree\n");
  expect(await json("query", rows.id, "[1].name")).toBe("b");
  expect(await scouts("query", rows.id, "[")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\(query_invalid\)\n$/),
  });
  expect(await scouts("show", "no/such.txt")).toMatchObject({
    code: 3,
    stderr:
      'scouts: There is no such artifact. "no/such.txt" (not_found)\n  scouts artifacts list shows what there is.\n',
  });
  expect(await json("stats")).toMatchObject({
    stored: { artifacts: 2, kinds: { json: 1, text: 1 }, pinned: 2 },
    usage: { queries: 2 },
  });
  expect((await scouts("stats")).stdout).toMatch(/^stored: 2 artifacts \(1 json, 1 text\), .*, 2 in use\n/);
  expect(await json("prune", "--days", "0")).toMatchObject({
    removed: [],
    pinned: expect.arrayContaining([rows.id, log.id]),
  });
  await artifacts.endThread("thr_1");
  expect((await json("prune", "--megabytes", "0")).removed.sort()).toEqual([log.id, rows.id]);
  expect((await scouts("stats")).stdout).toMatch(/^stored: 0 artifacts, .*, 0 in use\n/);
});

test("a file tool's result that was lost is had again by its command; other tools say that they cannot", {
  timeout: 240_000,
}, async () => {
  const { artifacts, scouts, json } = setting();
  const root = temporaryFolder();
  writeFileSync(join(root, "a.txt"), "hello\n");
  const origin = originOf("read", { tool: "read_file", projectRoot: root, arguments: { path: "a.txt" } });
  const lost = metadataOf(await artifacts.keep({ text: "before" }, origin));
  expect(await json("regenerate", lost.id)).toMatchObject({ origin: { tool: "read_file" } });
  const again = (await json("list")).find(({ id }: { id: string }) => id !== lost.id);
  expect(await json("query", again.id, "text")).toBe("hello\n");
  const other = metadataOf(await artifacts.keep("x", originOf("other", { tool: "read_item" })));
  expect(await scouts("regenerate", other.id)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be run again.*\(not_regenerable\)/),
  });
});

test("without a data folder there is nothing to list", async () => {
  const { data, scouts } = setting();
  expect(await scouts("list", "--data", join(data, "none"))).toMatchObject({ code: 4 });
});

test("nothing silent: what is missing or damaged is listed as such, and an agent's call is run again", {
  timeout: 240_000,
}, async () => {
  const { data, artifacts, scouts, json } = setting();
  // An agent is shown nothing that lies in the data folder.
  const root = temporaryFolder();
  writeFileSync(join(root, "long.md"), `${"# Beds\n\nThe pump is in the shed.\n".repeat(2_000)}`);
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data });
  const project = store.projects.add("Garden");
  store.projects.link(project.id, root);
  store.close();
  const call = {
    tool: "read_lines",
    arguments: { project_id: project.id, path: "long.md", startLine: 1, endLine: 150 },
  };
  const lost = metadataOf(await artifacts.keep("lines that were read", originOf("read", call)));
  const damaged = metadataOf(await artifacts.keep("rows", originOf("rows")));
  rmSync(join(data, lost.path));
  writeFileSync(join(data, damaged.path), "other rows");
  const states = (await json("list")).map(({ id, state }: { id: string; state: string }) => [id, state]);
  expect(new Map(states)).toEqual(
    new Map([
      [lost.id, "missing"],
      [damaged.id, "corrupt"],
    ]),
  );
  expect((await scouts("list")).stdout).toMatch(/missing[\s\S]*corrupt|corrupt[\s\S]*missing/);
  expect(await scouts("show", lost.id, "--lines", "1-2")).toMatchObject({
    stderr: expect.stringContaining(`scouts artifacts regenerate ${lost.id}`),
  });
  const again = await json("regenerate", lost.id);
  expect(again.origin).toMatchObject({ tool: "read_lines" });
  expect((await scouts("show", again.id, "--lines", "1-9")).stdout).toContain("The pump is in the shed.");
});

test("a person's file is stored, searched, compared, and had again when it is lost", { timeout: 240_000 }, async () => {
  const { data, scouts, json } = setting();
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.log"), "one ERROR\ntwo\nthree\n");
  writeFileSync(join(folder, "b.log"), "one ERROR\n2\nthree\n");
  const [one, other] = [await json("add", join(folder, "a.log")), await json("add", join(folder, "b.log"))];
  expect(one).toMatchObject({ origin: { tool: "scouts artifacts add" }, sizeBytes: 20 });
  expect(
    (await scouts("grep", "error", "--ignore-case")).stdout.split("\n").filter((line) => line !== ""),
  ).toHaveLength(2);
  expect((await scouts("grep", "nowhere to be found")).stdout).toBe("No matches.\n");
  expect((await json("grep", "^two$", one.id, "--regex")).lines).toEqual([`${one.id}:2: two`]);
  expect((await scouts("diff", one.id, other.id)).stdout).toContain("\n-two\n+2\n");
  expect(await json("diff", one.id, one.id)).toMatchObject({ isEqual: true });
  rmSync(join(data, one.path));
  expect(await json("regenerate", one.id)).toMatchObject({ id: one.id });
  rmSync(join(data, one.path));
  rmSync(join(folder, "a.log"));
  expect(await scouts("regenerate", one.id)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("file_unreadable"),
  });
  expect(await scouts("add", folder)).toMatchObject({ code: 4 });
  expect(await scouts("grep", "(", "--regex")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^scouts: The search pattern is not accepted\. RE2 syntax: .*\(pattern_refused\)\n$/),
  });
  expect(await scouts("diff", one.id, "none.txt")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("(not_found)"),
  });
});
