import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { mostHandedBytes, textOfFile } from "../../cli/handed-text.ts";
import { runCommand } from "../../cli/program.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder, temporaryStore } from "./setting.ts";

const never = new AbortController().signal;

/** One command line on a device, with what it is given on standard input. */
async function scouts(
  words: readonly string[],
  { stdin, signal = never }: { readonly stdin?: AsyncIterable<Uint8Array>; readonly signal?: AbortSignal } = {},
) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal };
  const environment = readEnvironment({ SCOUTS_DATA: temporaryStore().dataFolder });
  const secrets = stdin === undefined ? {} : { secrets: { stdin, variable: () => undefined } };
  const context = { io, environment, workingFolder: temporaryFolder(), ...secrets, ...systemTimeAndIds };
  const code = await runCommand(words, context, "1.2.3");
  return { code, stderr: stderr.written };
}

function pipeIn(folder: string): string {
  const pipe = path.join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  return pipe;
}

const tooLarge = (what: string, code: string) =>
  `scouts: ${what} is larger than 32 MB, and no more is taken at once; give it in parts. Nothing was taken. (${code})\n`;

test.each([
  [["event", "import", "/dev/zero"], exitCodes.failed, "import_invalid"],
  [["task", "import", "/dev/zero"], exitCodes.failed, "import_invalid"],
  [["files", "patch", "/dev/zero"], exitCodes.usage, "usage"],
  [["ops", "keys", "reseal", "--table", "t", "--ring-file", "/dev/zero"], exitCodes.usage, "usage"],
])("a file without an end is refused at a bound: %j", async (words, code, name) => {
  expect(await scouts(words)).toEqual({ code, stderr: tooLarge("/dev/zero", name) });
});

test("a file that is too large is refused by its size", async () => {
  const file = path.join(temporaryFolder(), "years.ics");
  writeFileSync(file, "");
  truncateSync(file, mostHandedBytes + 1);
  await expect(textOfFile(file, { code: "import_invalid", signal: never })).rejects.toThrow("is larger than 32 MB");
  truncateSync(file, mostHandedBytes);
  expect(await textOfFile(file, { code: "import_invalid", signal: never })).toHaveLength(mostHandedBytes);
});

test.each([
  ["files", "write", "note.md"],
  ["files", "patch", "-"],
])("standard input without an end is refused at a bound: %s %s", async (...words) => {
  let given = 0;
  const endless = async function* () {
    for (;;) {
      given += 1;
      yield Buffer.alloc(1024 * 1024, "a");
    }
  };
  const ended = await scouts(words, { stdin: endless() });
  expect(ended).toEqual({ code: exitCodes.usage, stderr: tooLarge("Standard input", "usage") });
  expect(given).toBeLessThan(64);
});

test("a passphrase that comes in several lines is refused, and set is none", async () => {
  const stdin = async function* () {
    yield Buffer.from("first line\nsecond line\n");
  };
  expect(await scouts(["passphrase", "set", "--new-stdin"], { stdin: stdin() })).toEqual({
    code: exitCodes.usage,
    stderr: "scouts: A passphrase is one line, and more than one came; give it alone. Nothing was changed. (usage)\n",
  });
});

test.each([
  ["event", "import", "pipe"],
  ["task", "import", "pipe"],
  ["files", "patch", "pipe"],
  ["files", "write", "note.md"],
  ["passphrase", "set", "--new-stdin"],
])("Ctrl-C ends a command that waits for what it is to read: %s %s", async (...words) => {
  const pipe = pipeIn(temporaryFolder());
  const ctrlC = new AbortController();
  const ended = scouts(
    words.map((word) => (word === "pipe" ? pipe : word)),
    { stdin: new PassThrough(), signal: ctrlC.signal },
  );
  setImmediate(() => ctrlC.abort());
  expect(await ended).toEqual({ code: exitCodes.interrupted, stderr: "scouts: Interrupted. (interrupted)\n" });
});

test("a pipe is read to its end, also one whose other end comes later", async () => {
  const pipe = pipeIn(temporaryFolder());
  const read = textOfFile(pipe, { code: "import_invalid", signal: never });
  const writer = await open(pipe, "w");
  await writer.write("Call Ada\n");
  await writer.write("Mow the lawn\n");
  await writer.close();
  expect(await read).toBe("Call Ada\nMow the lawn\n");
});

test("what is no file is said to be none", async () => {
  const folder = temporaryFolder();
  for (const file of [folder, path.join(folder, "none")])
    await expect(textOfFile(file, { code: "import_invalid", signal: never })).rejects.toThrow(
      `${file} cannot be read; check that it is a file and that you may read it. Nothing was taken.`,
    );
});
