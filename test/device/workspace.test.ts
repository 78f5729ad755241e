import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { NullProjectFiles } from "../../device/files/backends/null-project-files.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { killAbandoned } from "../../device/workspace/process-tree.ts";
import { toolDefinition } from "../../device/workspace/tool-definition.ts";
import { Workspace } from "../../device/workspace/workspace.ts";
import { expectCode } from "../files/expect-code.ts";
import { temporaryFolder } from "./setting.ts";

const node = process.execPath;
const inMemory = (files: Record<string, string>) => new InMemoryProjectFiles(files, systemTimeAndIds);

/** Runs a script of Node's in a workspace, and gives what came of it; the copy is discarded when the test has looked. */
async function run(
  files: ProjectFiles,
  script: string,
  {
    signal,
    given = {},
    variables = {},
    ...more
  }: Record<string, unknown> & {
    signal?: AbortSignal;
    given?: Record<string, string>;
    variables?: Record<string, string>;
  } = {},
) {
  const viewRoot = temporaryFolder();
  const workspace = new Workspace({
    files,
    viewRoot,
    variables: { PATH: process.env["PATH"], ...variables },
    mayCopy: async (path) => !path.startsWith("hidden/"),
  });
  const tool = toolDefinition.parse({ name: "tool", argv: [node, "-e", script], ...more });
  const { outcome, view } = await workspace.run(tool, given, signal);
  return { ...outcome, text: Buffer.from(outcome.output).toString(), view, viewRoot };
}

describe("a tool in a workspace", () => {
  it("P: works in a copy, which has links that stay inside; the project is as it was", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "bin"));
    writeFileSync(join(root, "bin/real.txt"), "abc");
    const { symlinkSync } = await import("node:fs");
    symlinkSync("bin/real.txt", join(root, "inside"));
    symlinkSync("/etc/hostname", join(root, "outside"));
    const script = `const fs = require("fs"); console.log(fs.readFileSync("inside", "utf8")); fs.writeFileSync("inside", "changed"); fs.writeFileSync("made", "");`;
    const { view, text, exitCode } = await run(new FsProjectFiles(root), script);
    expect([exitCode, text, view.leftOut]).toEqual([0, "abc\n", ["outside"]]);
    expect(readFileSync(join(root, "bin/real.txt"), "utf8")).toBe("abc");
    expect(existsSync(join(root, "made"))).toBe(false);
    expect((await view.plan()).changes.map(({ path, action }) => [action, path])).toEqual([
      ["update", "bin/real.txt"],
      ["create", "made"],
    ]);
    await view.discard();
  });

  it("gets what its globs name, and never what may not be copied", async () => {
    const files = inMemory({ "a.ts": "", "b.md": "", "hidden/c.ts": "" });
    const { text } = await run(files, `console.log(require("fs").readdirSync(".").join())`, { reads: ["*.ts"] });
    expect(text).toBe("a.ts\n");
  });

  it("gets no variable but those chosen for it, and a home of its own that goes with it", async () => {
    const script = `const fs = require("fs"); fs.writeFileSync(process.env.HOME + "/x", ""); console.log(JSON.stringify(process.env))`;
    const variables = { SECRET: "canary", CHOSEN: "yes", LANG: "C" };
    const more = { variables, passes: ["CHOSEN", "NOT_SET"], environment: { OWN: "1" } };
    const { text } = await run(inMemory({}), script, more);
    const seen = JSON.parse(text);
    expect(seen).toMatchObject({ CHOSEN: "yes", OWN: "1", LANG: "C" });
    expect(text).not.toContain("canary");
    expect(existsSync(seen.HOME)).toBe(false);
  });

  it("is not looked for in relative folders of PATH: they would be the project's", async () => {
    const variables = { PATH: `.:bin:${process.env["PATH"]}` };
    const { text } = await run(inMemory({}), "console.log(process.env.PATH)", { variables });
    expect(text.trim()).toBe(process.env["PATH"]);
  });

  it("without a project works in an empty folder", async () => {
    const { text } = await run(new NullProjectFiles(), `console.log(require("fs").readdirSync(".").length)`);
    expect(text).toBe("0\n");
  });

  it("in place works where the files are, and is refused where they are no folder", async () => {
    const root = temporaryFolder();
    await run(new FsProjectFiles(root), `require("fs").writeFileSync("made", "x")`, { inPlace: true });
    expect(readFileSync(join(root, "made"), "utf8")).toBe("x");
    await expect(run(inMemory({}), "", { inPlace: true })).rejects.toMatchObject({ code: "tool_refused" });
  });

  it("a flood of output is kept at its beginning and end, and what is missing is said", async () => {
    const script = `process.stdout.write("BEGIN"); for (let i = 0; i < 2000; i++) process.stdout.write("x".repeat(1000)); process.stdout.write("END")`;
    const { text, droppedBytes } = await run(inMemory({}), script, { maxOutputBytes: 1_000 });
    expect(droppedBytes).toBe(2_000_008 - 1_000);
    expect(text).toMatch(/^BEGINx+\n\[… 1999008 bytes left out …\]\nx+END$/);
  });

  it("that fills the disk is ended", async () => {
    const script = `const fs = require("fs"); const piece = Buffer.alloc(1 << 16, 1); const big = fs.openSync("big", "w"); for (;;) fs.writeSync(big, piece);`;
    const { end, view } = await run(inMemory({}), script, { maxWrittenBytes: 2 * 1024 ** 2 });
    expect(end).toBe("wrote-too-much");
    await view.discard();
  });

  it("a project that is larger than it may write is refused, and nothing of it is left", async () => {
    const files = inMemory({ big: "x".repeat(2_000) });
    await expectCode(run(files, "", { maxWrittenBytes: 1_000 }), "TooLarge");
  });

  it("reports failure, crash and absence as outcomes", async () => {
    const files = inMemory({});
    expect(await run(files, "process.exit(7)")).toMatchObject({ end: "exited", exitCode: 7 });
    expect(await run(files, "process.kill(process.pid, 'SIGKILL')")).toMatchObject({ end: "signalled" });
    const absent = { argv: ["/no/such/program"] };
    expect(await run(files, "", absent)).toMatchObject({ end: "not-started", reason: "ENOENT" });
    await expectCode(run(files, "", { workingDirectory: "../.." }), "OutsideRoot");
  });

  const family = (how: string) => `
    const { spawn } = require("child_process");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], ${how});
    require("fs").writeFileSync("PIDS", process.pid + " " + child.pid);`;
  const alive = (pid: number) =>
    existsSync(`/proc/${pid}/status`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  /** A process that was killed takes a moment to go; one that was not never does, and the test's time runs out. */
  const gone = async (root: string) => {
    const pids = readFileSync(join(root, "PIDS"), "utf8").split(" ").map(Number);
    while (pids.some(alive)) await new Promise((resolve) => setImmediate(resolve));
  };

  describe.skipIf(process.platform !== "linux")("leaves no process behind", () => {
    it.each([
      ["when it hangs", `{ stdio: "inherit" }`, "setInterval(() => {}, 1000);", "timed-out"],
      ["when it ends before a child that holds its output open", `{ stdio: "inherit" }`, "process.exit(0);", "exited"],
      ["when a grandchild has a session of its own", `{ stdio: "ignore", detached: true }`, "child.unref();", "exited"],
    ])("%s", async (_, how, rest, expected) => {
      const root = temporaryFolder();
      const { end } = await run(new FsProjectFiles(root), family(how) + rest, { inPlace: true, timeoutMs: 3_000 });
      expect(end).toBe(expected);
      await gone(root);
    });

    it("when its own process was killed: the next one ends it", async () => {
      const root = temporaryFolder();
      const at = (path: string) => JSON.stringify(new URL(`../../device/${path}`, import.meta.url).href);
      const program = `
        import { runSubprocess } from ${at("workspace/subprocess.ts")};
        const command = [process.execPath, "-e", ${JSON.stringify(`${family(`{ stdio: "ignore" }`)} console.log("ready"); setInterval(() => {}, 1000);`)}];
        await runSubprocess({ command, workingDirectory: ${JSON.stringify(root)}, environment: {}, timeoutMs: 600_000, maxOutputBytes: 10 });`;
      const owner = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
      while (!existsSync(join(root, "PIDS")) || readFileSync(join(root, "PIDS"), "utf8") === "")
        await new Promise((resolve) => setImmediate(resolve));
      await killAbandoned();
      expect(readFileSync(join(root, "PIDS"), "utf8").split(" ").map(Number).every(alive)).toBe(true);
      owner.kill("SIGKILL");
      await once(owner, "exit");
      await killAbandoned();
      await gone(root);
    });

    it("when it is interrupted", async () => {
      const root = temporaryFolder();
      const cancel = new AbortController();
      const script = `${family(`{ stdio: "inherit" }`)} setInterval(() => {}, 1000);`;
      const running = run(new FsProjectFiles(root), script, { inPlace: true, signal: cancel.signal });
      while (!existsSync(join(root, "PIDS")) || readFileSync(join(root, "PIDS"), "utf8") === "")
        await new Promise((resolve) => setImmediate(resolve));
      cancel.abort();
      expect((await running).end).toBe("cancelled");
      await gone(root);
    });
  });
});

describe("arguments of a tool", () => {
  const kinds = {
    suite: { type: "enum", values: ["unit", "--all"], default: "unit" },
    level: { type: "integer", min: 1, max: 5, default: 3 },
    file: { type: "path", default: "a.txt" },
    words: { type: "text", maxLength: 10, default: "" },
  };
  const print = (given: Record<string, string>) =>
    run(inMemory({ "a.txt": "", "-rf": "" }), "console.log(JSON.stringify(process.argv.slice(1)))", {
      argv: [
        node,
        "-e",
        "console.log(JSON.stringify(process.argv.slice(1)))",
        "--",
        "{suite}",
        "-l{level}",
        "{file}",
        "{words}",
        "--m={words}",
      ],
      arguments: kinds,
      given,
    });

  it("go where they belong as they are, without a shell; a path is whole", async () => {
    const { text, view } = await print({ suite: "--all", level: "5", file: "-rf", words: "$(id); `a`" });
    expect(JSON.parse(text)).toEqual(["--all", "-l5", join(view.root, "-rf"), "$(id); `a`", "--m=$(id); `a`"]);
    expect(JSON.parse((await print({})).text)).toEqual(["unit", "-l3", expect.stringMatching(/a\.txt$/), "", "--m="]);
  });

  it.each([
    { suite: "integration" },
    { level: "6" },
    { level: "2.5" },
    { level: "0x3" },
    { words: "--output=/etc" },
    { words: "a\u0000b" },
    { words: "a\nb" },
    { words: "x".repeat(11) },
    { other: "x" },
  ])("are refused when they are not what was allowed: %j", async (given) => {
    await expect(print(given as Record<string, string>)).rejects.toMatchObject({ code: "tool_argument_invalid" });
  });

  it("a path cannot leave the project", () => expectCode(print({ file: "../../etc/passwd" }), "OutsideRoot"));

  it.each([
    { name: "Not A Name" },
    { argv: [] },
    { argv: ["{program}"], arguments: { program: { type: "text" } } },
    { argv: ["a", "{b}"] },
    { arguments: { unused: { type: "text" } } },
    { inPlace: true, writes: ["x"] },
    { shell: true },
  ])("a tool that is not well described is refused: %j", (more) => {
    expect(toolDefinition.safeParse({ name: "tool", argv: ["a"], ...more }).success).toBe(false);
  });
});
