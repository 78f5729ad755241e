import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fullText, keepError } from "../../cli/error-log.ts";
import { failureOf } from "../../cli/failure.ts";
import { watchDataFolder } from "../../cli/home/data-folder-watch.ts";
import { watchOpenFiles } from "../../cli/home/open-files-watch.ts";
import { requireOpenFiles } from "../../cli/up/open-files.ts";
import { exportFailed } from "../../device/errors/export-failed.ts";
import { LocalHomeError } from "../../infra/local/errors.ts";
import { StandInError } from "../../infra/standins/stand-in-error.ts";
import { ManualClock } from "./manual-clock.ts";
import { temporaryFolder, temporaryStore } from "./setting.ts";

const fault = new TypeError("x is not a function", { cause: new Error("deeper") });

test("an unexpected error names the file it is kept in, which only its owner can read", () => {
  const folder = temporaryFolder();
  const keep = (error: unknown) => keepError(folder, error, 0);
  const { line, exitCode } = failureOf(fault, { keep, debug: false });
  const file = path.join(folder, "device", "errors.log");
  expect(exitCode).toBe(1);
  expect(line).toBe(
    `scouts: Something unexpected went wrong: TypeError: x is not a function. It is kept in ${file}. SCOUTS_DEBUG=1 shows its cause. (internal)`,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain("deeper");
});

test("with SCOUTS_DEBUG its causes and stacks are told", () => {
  const { line } = failureOf(fault, { keep: () => undefined, debug: true });
  expect(line).toContain("(internal)\n");
  expect(line).toContain("[cause]: Error: deeper");
  expect(line).toContain("failure.test.ts");
  expect(fullText(fault)).toContain("x is not a function");
});

test("what an interruption broke off is told as that, whatever was under way", async () => {
  const controller = new AbortController();
  controller.abort();
  // A question at the terminal, and a pause.
  const asked = createInterface({ input: new PassThrough() }).question("Yes?", { signal: controller.signal });
  const paused = setTimeout(1, undefined, { signal: controller.signal });
  for (const work of [asked, paused]) {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    const { line, exitCode, json } = failureOf(error, { keep: () => undefined, debug: false });
    expect([line, exitCode, json?.code]).toEqual(["scouts: Interrupted. (interrupted)", 130, "interrupted"]);
  }
});

test("where there is no data folder nothing is made", () => {
  expect(keepError(path.join(temporaryFolder(), "none"), fault, 0)).toBeUndefined();
});

test("a fault of Node's own is unexpected, whatever code it carries", () => {
  const error = Object.assign(new TypeError("bad"), { code: "ERR_INVALID_ARG_TYPE" });
  expect(failureOf(error, { keep: () => undefined, debug: false }).line).toMatch(/\(internal\)$/);
  const taken = Object.assign(new Error("The port is taken."), { code: "EADDRINUSE" });
  expect(failureOf(taken, { keep: () => undefined, debug: false }).line).toBe(
    "scouts: The port is taken. (EADDRINUSE)",
  );
});

test("a key or a state of a home that is damaged says how it is mended, with the exit code of a data folder", () => {
  const damaged = new StandInError("state_unusable", "The key file /data/world/kms/keys.json cannot be read.");
  const { line, exitCode, json } = failureOf(damaged, { keep: () => undefined, debug: false });
  expect(line).toMatch(/cannot be read\. \(state_unusable\)\n {2}Restore the whole data folder from a backup/);
  expect([exitCode, json?.code, json?.recovery]).toEqual([4, "state_unusable", expect.stringContaining("--data")]);
});

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));

/** The program, in which something is thrown that nobody waits for, as soon as it could be heard. */
function programThrowing(thrown: string, words: readonly string[]) {
  const aside = `process.on("newListener", (name) => name === "uncaughtException" && setImmediate(() => { ${thrown} }))`;
  const loaded = ["--import", `data:text/javascript,${encodeURIComponent(aside)}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...loaded, launcher, ...words], {
    encoding: "utf8",
    cwd: temporaryFolder(),
    env: { PATH: process.env["PATH"] },
  });
  return { status, stdout, stderr };
}

test.each(['throw new TypeError("x is not a function")', 'Promise.reject(new TypeError("x is not a function"))'])(
  "what is thrown where nobody waits for it is kept, and said as everything unexpected is: %s",
  (thrown) => {
    const data = temporaryStore().dataFolder;
    // Nothing ever comes, so that the command itself does not end.
    const pipe = path.join(data, "pipe");
    execFileSync("mkfifo", [pipe]);
    const { status, stdout, stderr } = programThrowing(thrown, ["task", "import", pipe, "--json", "--data", data]);
    const file = path.join(data, "device", "errors.log");
    const message = `Something unexpected went wrong: TypeError: x is not a function. It is kept in ${file}. SCOUTS_DEBUG=1 shows its cause.`;
    expect({ status, stderr }).toEqual({ status: 1, stderr: `scouts: ${message} (internal)\n` });
    expect(JSON.parse(stdout)).toMatchObject({ success: false, code: "internal", message });
    expect(readFileSync(file, "utf8")).toContain("    at ");
  },
);

test("a working folder that was removed is said to be gone", () => {
  const cwd = temporaryFolder();
  const { status, stderr } = spawnSync(
    "sh",
    ["-c", 'mkdir gone && cd gone && rmdir ../gone && "$0" "$1" list', process.execPath, launcher],
    { cwd, encoding: "utf8", env: { PATH: process.env["PATH"] } },
  );
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      "scouts: The folder you are in is not there any more. (ENOENT)\n  Change to another one (cd), and run the command again.\n",
  });
});

test.each([
  [
    "ENAMETOOLONG",
    "n".repeat(300),
    /^scouts: \/.*n has a name that is too long for this system\. \(ENAMETOOLONG\)\n {2}Give a shorter one\.$/,
  ],
  [
    "ENOTDIR",
    "file/x",
    /^scouts: \/.*file\/x leads through something that is no folder\. \(ENOTDIR\)\n {2}Check the path\.$/,
  ],
  ["ENOENT", "none", /^scouts: \/.*none is not there\. \(ENOENT\)\n {2}Check the path\.$/],
  ["EISDIR", ".", /^scouts: What was named is a folder\. \(EISDIR\)\n {2}Name a file\.$/],
])("what the file system refuses is said in words, with what to do: %s", (code, name, told) => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "file"), "");
  const refused = () => {
    try {
      return readFileSync(path.join(folder, name));
    } catch (error) {
      return error;
    }
  };
  const { line, json } = failureOf(refused(), { keep: () => undefined, debug: false });
  expect(json).toMatchObject({ code, exitCode: 1, recovery: expect.any(String) });
  expect(line).toMatch(told);
});

test("what the system refuses of the network is in its own words", () => {
  const error = Object.assign(new Error("listen EACCES: permission denied 127.0.0.1:80"), {
    code: "EACCES",
    syscall: "listen",
  });
  expect(failureOf(error, { keep: () => undefined, debug: false }).line).toBe(
    "scouts: listen EACCES: permission denied 127.0.0.1:80 (EACCES)",
  );
});

test.each(["data_in_use", "data_unusable"] as const)(
  "%s is of the data folder, and ends with its exit code",
  (code) => {
    const failure = failureOf(new LocalHomeError(code, "It is so."), { keep: () => undefined, debug: false });
    expect(failure).toMatchObject({ line: `scouts: It is so. (${code})`, exitCode: 4, json: { exitCode: 4 } });
  },
);

test("an export onto a full disk says that it is full, and else what to check", () => {
  const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  const message = (cause: Error) =>
    exportFailed("/u/a.ics", cause, "cannot be written; check its folder.", " It is kept.").message;
  expect(message(full)).toMatch(/^\/u\/a\.ics cannot be written: its disk is full\. .* It is kept\.$/);
  expect(message(new Error("EACCES"))).toBe("/u/a.ics cannot be written; check its folder. It is kept.");
});

test("too many open files are said as such, with the cure, whatever the part that met them calls it", () => {
  const cause = Object.assign(new Error("EMFILE"), { code: "EMFILE", syscall: "open", path: "/m/1.eml" });
  const error = new LocalHomeError("mailbox_other", "The mailbox /m cannot be read.", { cause });
  expect(failureOf(error, { keep: () => undefined, debug: false }).line).toMatch(
    /^scouts: \/m\/1\.eml cannot be opened: this process has as many files open as it may\. \(EMFILE\)\n {2}Raise its limit \(ulimit -n/,
  );
});

test("so are too many connections, whose error names no path", () => {
  const cause = Object.assign(new Error("connect EMFILE"), { code: "EMFILE", syscall: "connect" });
  const { line } = failureOf(new Error("fetch failed", { cause }), { keep: () => undefined, debug: false });
  expect(line).toMatch(
    /^scouts: A file or connection cannot be opened: this process .* \(EMFILE\)\n {2}Raise its limit/,
  );
});

test("a program that stays says once that nothing more can be opened, and once that it can be again", async () => {
  const clock = new ManualClock();
  const said: string[] = [];
  let refused: string | undefined;
  const tryOpen = () => {
    if (refused !== undefined) throw Object.assign(new Error(refused), { code: refused });
  };
  const watch = watchOpenFiles({ clock, tell: (sentence) => void said.push(sentence), tryOpen });
  watch.start();
  for (const code of [undefined, "EMFILE", "EMFILE", undefined, undefined, "ENFILE"]) {
    await watch.whenIdle();
    refused = code;
    clock.advance(10_000);
  }
  await watch.close();
  expect(said).toEqual([
    expect.stringMatching(/^This program has as many files and connections open as it may\. .*ulimit -n 1024/),
    "Files and connections can be opened again.",
    expect.stringMatching(/^This system has as many files open as it may\. .*fs\.file-max/),
  ]);
});

test("nothing silent: a program that stays says once that its data folder was taken away, or replaced, and once that it is back", async () => {
  const store = temporaryStore();
  const { dataFolder, path: databasePath } = store;
  const clock = new ManualClock();
  const said: string[] = [];
  const watch = watchDataFolder({ clock, dataFolder, databasePath, tell: (sentence) => void said.push(sentence) });
  const look = async () => {
    clock.advance(10_000);
    await watch.whenIdle();
  };
  watch.start();
  await look();
  expect(said).toEqual([]);
  renameSync(dataFolder, `${dataFolder}-moved`);
  await look();
  await look();
  const gone = expect.stringMatching(
    /^The data folder .* was removed, moved or replaced .*Stop it.*\(store_missing\)$/,
  );
  expect(said).toEqual([gone]);
  renameSync(`${dataFolder}-moved`, dataFolder);
  await look();
  expect(said.slice(1)).toEqual([expect.stringContaining("is there again")]);
  // Another one in its place is not the one that is open.
  renameSync(databasePath, `${databasePath}-aside`);
  writeFileSync(databasePath, "");
  await look();
  expect(said.slice(2)).toEqual([gone]);
  await watch.close();
});

test("a home that may open too few files says so before it begins, with the limit and what it needs", () => {
  const few = () => requireOpenFiles(64);
  expect(few).toThrow(expect.objectContaining({ code: "too_few_files" }));
  expect(few).toThrow(/may have 64 files open at once, and a home needs 256 .*ulimit -n 1024/);
  for (const limit of [256, undefined]) expect(() => requireOpenFiles(limit)).not.toThrow();
});

test("of a disk that can only be read any more it is said that it is the disk, also where no file is named", () => {
  const error = Object.assign(new Error("EROFS: write"), { code: "EROFS", syscall: "write" });
  expect(failureOf(error, { keep: () => undefined, debug: false })).toMatchObject({
    line: expect.stringMatching(
      /^scouts: A disk that is written to can only be read just now\. \(EROFS\)\n {2}The system does that to one that fails/,
    ),
    exitCode: 1,
  });
});
