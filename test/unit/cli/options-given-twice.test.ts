import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readEnvironment } from "../../../cli/environment.ts";
import { runCommand } from "../../../cli/program.ts";
import { exitCodes } from "../../../device/exit-codes.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { Screen } from "../../device/screen.ts";
import { temporaryFolder } from "../../device/setting.ts";

/** The words made sense; the folder they name is empty. */
const understood = /There is no device data in|No home is running on|No tool lint is allowed/;

async function said(...words: string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const workingFolder = temporaryFolder();
  const context = { ...systemTimeAndIds, io, environment: readEnvironment({}), workingFolder };
  const exitCode = await runCommand([...words, "--data", join(workingFolder, "none")], context, "1.2.3");
  return { exitCode, text: stderr.written, json: stdout.written };
}

describe("an option that is given twice is refused: one of the two would not count, unsaid", () => {
  test.each([
    ["--due <date>", ["task", "add", "Answer", "--due", "monday", "--due", "friday"]],
    ["--due <date>", ["task", "add", "Answer", "--due=monday", "--due=friday"]],
    ["--data <folder>", ["status", "--data", "one"]],
    ["--limit <number>", ["search", "frost", "--limit", "3", "--limit", "4"]],
    ["--priority <priority>", ["task", "add", "Answer", "--priority", "now", "--priority", "later"]],
  ])("%s of %j", async (option, words) => {
    const { exitCode, text } = await said(...words);
    expect(exitCode).toBe(exitCodes.usage);
    expect(text).toBe(`scouts: option '${option}' is given twice. Give it once. (usage)\n`);
  });

  test("with --json a program is told as well", async () => {
    const { json } = await said("task", "list", "--project", "One", "--project", "Two", "--json");
    expect(JSON.parse(json)).toMatchObject({ success: false, code: "usage", exitCode: exitCodes.usage });
  });
});

test.each([
  ["one that takes several", ["proposals", "list", "--status", "pending", "--status", "approved"]],
  ["one that collects pairs", ["tool", "run", "lint", "--with", "a=1", "--with", "b=2"]],
  ["one that collects settings", ["files", "list", "--project", "Garden", "--set", "a=1", "--set", "b=2"]],
  ["one that says the same twice, having no value", ["status", "--json", "--json"]],
])("%s may be given twice", async (_, words) => {
  const { text } = await said(...words);
  expect(text).not.toContain("is given twice");
  expect(text).toMatch(understood);
});

test("of two pairs of one name neither counts", async () => {
  const { exitCode, text } = await said("tool", "run", "lint", "--with", "a=1", "--with", "a=2");
  expect(exitCode).toBe(exitCodes.usage);
  expect(text).toContain("a is given twice. Give it once. (usage)");
});
