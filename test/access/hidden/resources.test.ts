import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { listResources, readResource } from "../../../device/access/mcp/resources.ts";
import { accessRules } from "../../../device/access/policy/rules.ts";
import { setting as agentSetting } from "../../device/actions/setting.ts";
import { replacing } from "../in-memory-setting.ts";
import { setting as projectSetting } from "../setting.ts";
import { canary, guessed, other } from "./probes.ts";

const personal = accessRules.parse({ read: { deny: ["private/**", "AGENTS.md"], ask: ["asked.md"] } });
const rules = [personal];
const errorOf = (error: unknown) =>
  error instanceof McpError ? [error.code, error.message, error.data] : String(error);
const hidden = ["private/plan.txt", "AGENTS.md", "asked.md", ".env"];

test("resources name no file that may not be read without asking, also among entry documents (D9)", async () => {
  const files = Object.fromEntries([...hidden, "README.md", "src/main.ts"].map((path) => [path, guessed]));
  const { access, session } = await projectSetting(files, { rules });
  const { resources } = await listResources({ project: { access, paid: undefined }, session }, undefined);
  expect(resources.map(({ name }) => name)).toEqual(["session", "start", "README.md", "src/main.ts"]);
});

test("a resource of a hidden file, or of its history, says the same whatever is there", async () => {
  const answers = await Promise.all(
    [guessed, other, null].map(async (content) => {
      const files = content === null ? {} : Object.fromEntries(hidden.map((path) => [path, content]));
      const { access, session } = await projectSetting({ ...files, "notes.md": "x\n" }, { rules });
      const uris = hidden.flatMap((path) => [`scouts-file:///${path}`, `scouts-history:///${path}`]);
      const served = { project: { access, paid: undefined }, session, name: undefined };
      const refused = await Promise.allSettled(uris.map((uri) => readResource(served, uri)));
      return JSON.stringify(refused.map((each) => (each.status === "rejected" ? errorOf(each.reason) : each.value)));
    }),
  );
  expect(answers[1]).toBe(answers[0]);
  expect(answers[2]).toBe(answers[0]);
  expect(answers[0]).not.toContain(canary);
  expect(answers[0]).not.toContain("contents");
});

test("the session names no file whose reading has been denied since", async () => {
  const { access, session, files, patch } = await projectSetting({ "plan.md": "a\n", "notes.md": "a\n" });
  await access.call(session, "read_file", { path: "plan.md" });
  await patch(replacing("plan.md", "a", "b"));
  await files.write(".scouts.json", Buffer.from('{"read":{"deny":["plan.md"]}}'));
  const { contents } = await readResource(
    { project: { access, paid: undefined }, session, name: undefined },
    "scouts-session:///current",
  );
  expect(JSON.stringify(contents)).not.toContain("plan.md");
});

test("an agent's actions say the same of a hidden file whatever is there", async () => {
  const calls = (path: string): [string, Record<string, unknown>][] => [
    ["read_project_folder_file", { relative_path: path }],
    ["read_lines", { path, startLine: 1, endLine: 5 }],
    ["list_files", { path }],
    ["grep_files", { pattern: canary, paths: [path] }],
  ];
  const worlds = [guessed, other, null].map((content) => {
    const files = content === null ? {} : Object.fromEntries(hidden.map((path) => [path, content]));
    const policy = JSON.stringify({ read: personal.read });
    return agentSetting({ ...files, "notes.md": "first\n", ".scouts.json": policy });
  });
  for (const [action, args] of hidden.flatMap(calls)) {
    const answers = await Promise.all(
      worlds.map(({ table, projectId }) => table.run(action, { project_id: projectId, ...args })),
    );
    expect(answers[1], JSON.stringify(args)).toEqual(answers[0]);
    expect(answers[2], JSON.stringify(args)).toEqual(answers[0]);
    expect(answers[0]?.error, JSON.stringify([action, args])).toBeDefined();
    expect(JSON.stringify(answers)).not.toContain("SECRET");
  }
  for (const pattern of [canary, "SECRET"]) {
    const broad = await Promise.all(
      worlds.slice(0, 2).map(({ table, projectId }) => table.run("grep_files", { project_id: projectId, pattern })),
    );
    expect(broad[1]).toEqual(broad[0]);
    expect(JSON.stringify(broad)).not.toContain(canary);
  }
});
