import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { buildProgram, runCommand } from "../../cli/program.ts";
import { failureObject } from "../../device/errors/failure-object.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { quick } from "../rounds.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder } from "./setting.ts";

/** One command line in this process. */
async function scouts(words: readonly string[], cwd: string) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: cwd, ...systemTimeAndIds };
  const code = await runCommand(words, context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

/** The one object a command that failed leaves on standard output, and nothing else. */
function failureIn({ stdout, code }: { readonly stdout: string; readonly code: number }) {
  const failure = failureObject.parse(JSON.parse(stdout));
  expect(failure.exitCode).toBe(code);
  return failure;
}

interface Leaf {
  readonly words: readonly string[];
  readonly command: Command;
}

function leavesOf(command: Command, words: readonly string[] = []): Leaf[] {
  const here = command.commands.length === 0 ? [{ words, command }] : [];
  return [...here, ...command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]))];
}

const io = {
  stdout: new Screen(),
  stderr: new Screen(),
  isTTY: false,
  color: false,
  signal: new AbortController().signal,
};
const context = { io, environment: readEnvironment({}), workingFolder: "/", ...systemTimeAndIds };
const leaves = leavesOf(buildProgram(context, "1.2.3", () => undefined));
const named = leaves.map((leaf) => [leaf.words.join(" "), leaf] as const);

/** Stay up, read standard input, open a browser, or ask a server of Google's. */
const notRun = /^(?:up|connect|console|mcp|login|completion|gmail|files write)\b/;

test("there are the commands this table is about", () => expect(named.length).toBeGreaterThan(90));

test("every command has its line in the table of the documents", () => {
  const table = readFileSync(path.join(import.meta.dirname, "../../docs/device.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `scouts "))
    .map((line) => line.split(" | ")[0] ?? "");
  const inTable = new Set(table.flatMap((cell) => [...cell.matchAll(/[a-z][a-z-]*/g)].map(([word]) => word)));
  const commands = buildProgram(context, "1.2.3", () => undefined).commands.map((command) => command.name());
  expect(commands.filter((name) => !inTable.has(name))).toEqual([]);
});

/** A quarter of them in the short run, by the same rule each. */
const tried = named.filter((_, at) => !quick || at % 4 === 0);

test.each(tried)("%s: what is wrong with its words is told as one object", async (_, { words }) => {
  const told = await scouts([...words, "--no-such-option", "--json"], temporaryFolder());
  expect(failureIn(told)).toMatchObject({ code: "usage", exitCode: exitCodes.usage });
  expect(told.stderr).toMatch(/\(usage\)\n$/);
});

test.each(tried.filter(([name]) => !notRun.test(name)))(
  "%s: on a folder without anything it gives JSON, or says as one object why not",
  async (_, { words, command }) => {
    const folder = temporaryFolder();
    const needed = [
      ...command.registeredArguments.filter(({ required }) => required).map(({ argChoices }) => argChoices?.[0] ?? "x"),
      ...command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? "", "x"]),
    ];
    const data = ["--data", path.join(folder, "data")];
    const told = await scouts([...words, ...needed, ...data, "--json"], folder);
    const isResult = [exitCodes.done, exitCodes.attention].some((code) => code === told.code);
    if (!isResult) failureIn(told);
    else if (told.stdout !== "") for (const line of [told.stdout]) JSON.parse(line);
  },
);

test("what an error knows is in the object: where an edit could be meant, the text as it is, the cure, the cause", async () => {
  const folder = temporaryFolder();
  const root = path.join(folder, "garden");
  mkdirSync(root);
  writeFileSync(path.join(root, "a.txt"), "same\nother\nsame\n");
  writeFileSync(
    path.join(folder, "twice.patch"),
    "*** Begin Patch\n*** Update File: a.txt\n@@\n-same\n+new\n*** End Patch\n",
  );
  writeFileSync(
    path.join(folder, "none.patch"),
    "*** Begin Patch\n*** Update File: a.txt\n@@\n-absent\n+new\n*** End Patch\n",
  );
  const on = ["--root", root, "--data", path.join(folder, "data"), "--json"];

  const twice = failureIn(await scouts(["files", "patch", path.join(folder, "twice.patch"), ...on], folder));
  expect(twice).toMatchObject({
    ...{ code: "ambiguous_match", success: false, conflict: false, diff: null, versionId: null, files: [] },
    candidates: [
      { startLine: 1, endLine: 1 },
      { startLine: 3, endLine: 3 },
    ],
    recovery: expect.stringContaining("Add lines around the edit"),
  });
  const none = failureIn(await scouts(["files", "patch", path.join(folder, "none.patch"), ...on], folder));
  expect(none).toMatchObject({ code: "no_match", recovery: expect.any(String) });
  const config = path.join(folder, "data", "device", "config.json");
  writeFileSync(config, '{"read":{"denny":[]}}');
  expect(failureIn(await scouts(["files", "list", ...on], folder))).toMatchObject({
    code: "config_unreadable",
    exitCode: exitCodes.unusable,
    data: { file: config },
  });
  const missing = failureIn(
    await scouts(["artifacts", "add", path.join(folder, "none"), "--data", folder, "--json"], folder),
  );
  expect(missing).toMatchObject({ code: "file_unreadable", data: { file: path.join(folder, "none") } });
});

test("without --json nothing of it is on standard output, and behind -- it is no option", async () => {
  const folder = temporaryFolder();
  const told = await scouts(["proposals", "list", "--data", path.join(folder, "none")], folder);
  expect(told).toMatchObject({ code: exitCodes.unusable, stdout: "" });
  expect(await scouts(["search", "--data", folder, "--", "--json"], folder)).toMatchObject({ stdout: "" });
});
