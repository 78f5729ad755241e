import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { NullProjectFiles } from "../../device/files/backends/null-project-files.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Workspace } from "../../device/workspace/workspace.ts";
import { expectCode } from "../files/expect-code.ts";

const node = process.execPath;
let directory: string;
let outputs: Map<string, string>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "workspace-"));
  outputs = new Map();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function workspace(files: ProjectFiles, script: string, more: object = {}): Workspace {
  return new Workspace({
    files,
    tools: [{ name: "tool", command: [node, "-e", script, "{args}"], ...more }],
    environment: { PATH: process.env["PATH"] ?? "" },
    temporaryRoot: directory,
    outputs: {
      async store(output, { name }) {
        outputs.set(name, new TextDecoder().decode(output));
        return name;
      },
    },
  });
}

describe("a configured tool", () => {
  it("runs in a copy, and what it changes comes back", async () => {
    const files = new InMemoryProjectFiles({ "sub/in.txt": "abc" }, systemTimeAndIds);
    const script = `
      const fs = require("fs");
      fs.writeFileSync("out.txt", fs.readFileSync("in.txt", "utf8").toUpperCase() + process.argv[1]);
      console.log(process.cwd() === require("path").join(fs.realpathSync(process.env.SCOUTS_CONTEXT_ROOT), "sub"));`;
    const run = await workspace(files, script, { workingDirectory: "sub" }).runTool("tool", ["!"]);
    expect(run).toMatchObject({ end: "exited", exitCode: 0, outputRef: "tool.log", droppedBytes: 0 });
    expect(outputs.get("tool.log")).toBe("true\n");
    expect(run.sync.changes).toEqual([{ path: "sub/out.txt", action: "create" }]);
    expect(Buffer.from(await files.read("sub/out.txt")).toString()).toBe("ABC!");
    expect(readdirSync(directory)).toEqual([]);
  });

  it("runs in the project itself when that is on this disk", async () => {
    const script = `require("fs").writeFileSync("made", "x")`;
    const run = await workspace(new FsProjectFiles(directory), script).runTool("tool");
    expect(run.exitCode).toBe(0);
    expect(readFileSync(join(directory, "made"), "utf8")).toBe("x");
  });

  it("passes arguments as they are: there is no shell", async () => {
    const run = await workspace(new InMemoryProjectFiles({}, systemTimeAndIds), "console.log(process.argv[1])").runTool(
      "tool",
      ["$HOME; `id`"],
    );
    expect(run.exitCode).toBe(0);
    expect(outputs.get("tool.log")).toBe("$HOME; `id`\n");
  });

  it("gets no variable of this process but those chosen for it", async () => {
    process.env["WORKSPACE_TEST_SECRET"] = "canary";
    await workspace(
      new InMemoryProjectFiles({}, systemTimeAndIds),
      "console.log(Object.keys(process.env).sort().join())",
    ).runTool("tool");
    delete process.env["WORKSPACE_TEST_SECRET"];
    expect(outputs.get("tool.log")).not.toContain("SECRET");
  });

  it("keeps beginning and end of too much output and says what is missing", async () => {
    const script = `process.stdout.write("BEGIN"); for (let i = 0; i < 2000; i++) process.stdout.write("x".repeat(1000)); process.stdout.write("END")`;
    const run = await workspace(new InMemoryProjectFiles({}, systemTimeAndIds), script, {
      maxOutputBytes: 1_000,
    }).runTool("tool");
    expect(run.droppedBytes).toBe(2_000_008 - 1_000);
    expect(outputs.get("tool.log")).toMatch(/^BEGINx+\n\[… 1999008 bytes left out …\]\nx+END$/);
  });

  it("reports failure, crash and absence as outcomes", async () => {
    const files = new InMemoryProjectFiles({}, systemTimeAndIds);
    expect(await workspace(files, "process.exit(7)").runTool("tool")).toMatchObject({ end: "exited", exitCode: 7 });
    expect(await workspace(files, "process.kill(process.pid, 'SIGKILL')").runTool("tool")).toMatchObject({
      end: "signalled",
    });
    const absent = workspace(files, "", { command: [join(directory, "no-such-program")] });
    expect(await absent.runTool("tool")).toMatchObject({ end: "not-started", reason: "ENOENT" });
    await expectCode(absent.runTool("other"), "NotFound");
    await expectCode(workspace(files, "", { workingDirectory: "../.." }).runTool("tool"), "OutsideRoot");
    expect(readdirSync(directory)).toEqual([]);
  });

  const family = (how: string) => `
    const { spawn } = require("child_process");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log(process.pid)"], ${how});
    const told = require("fs");
    told.writeFileSync(${JSON.stringify("PIDS")}, process.pid + " " + child.pid);`;
  const alive = (pid: number) =>
    existsSync(`/proc/${pid}/status`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));

  /** A process that was killed takes a moment to go; one that was not never does, and the test's time runs out. */
  const gone = async (pids: readonly number[]) => {
    while (pids.some(alive)) await new Promise((resolve) => setImmediate(resolve));
  };

  describe.skipIf(process.platform !== "linux")("leaves no process behind", () => {
    it.each([
      ["when it takes too long", `{ stdio: "inherit" }`, "setInterval(() => {}, 1000);", "timed-out"],
      ["when it ends before a child that holds its output open", `{ stdio: "inherit" }`, "process.exit(0);", "exited"],
      ["when a child left its process group", `{ stdio: "ignore", detached: true }`, "child.unref();", "exited"],
    ])("%s", async (_, how, rest, end) => {
      const files = new FsProjectFiles(directory);
      const run = await workspace(files, family(how) + rest, { timeoutMs: 3_000 }).runTool("tool");
      expect(run.end).toBe(end);
      await gone(readFileSync(join(directory, "PIDS"), "utf8").split(" ").map(Number));
    });

    it("when it is cancelled", async () => {
      const cancel = new AbortController();
      const files = new FsProjectFiles(directory);
      writeFileSync(join(directory, "PIDS"), "");
      const script = `${family(`{ stdio: "inherit" }`)} console.log("ready"); setInterval(() => {}, 1000);`;
      const running = workspace(files, script).runTool("tool", [], { signal: cancel.signal });
      while (readFileSync(join(directory, "PIDS"), "utf8") === "")
        await new Promise((resolve) => setImmediate(resolve));
      cancel.abort();
      expect((await running).end).toBe("cancelled");
      await gone(readFileSync(join(directory, "PIDS"), "utf8").split(" ").map(Number));
    });
  });
});

describe("a workspace", () => {
  it("attaches a file, or what a tool says", async () => {
    const attached = workspace(new InMemoryProjectFiles({ "a/b": "text" }, systemTimeAndIds), "console.log('said')");
    expect(await attached.attachFile("./a//b")).toMatchObject({ kind: "file", path: "a/b" });
    expect(await attached.attachCommand("tool")).toMatchObject({ kind: "command", run: { outputRef: "tool.log" } });
    await expectCode(attached.attachFile("a/b", 3), "TooLarge");
  });

  it("reads configuration through its files, with a fallback only when it is not there", async () => {
    const schema = z.object({ name: z.string() });
    const fallback = { name: "fallback" };
    const read = (files: ProjectFiles) => workspace(files, "").configuration("c.json", schema, fallback);
    expect(await read(new InMemoryProjectFiles({ "c.json": '{"name":"x"}' }, systemTimeAndIds))).toEqual({ name: "x" });
    expect(await read(new InMemoryProjectFiles({}, systemTimeAndIds))).toEqual(fallback);
    expect(await read(new NullProjectFiles())).toEqual(fallback);
    await expect(read(new InMemoryProjectFiles({ "c.json": "{" }, systemTimeAndIds))).rejects.toThrow(SyntaxError);
    await expect(read(new InMemoryProjectFiles({ "c.json": "{}" }, systemTimeAndIds))).rejects.toThrow(z.ZodError);
  });

  it("without a project runs nothing", async () => {
    await expectCode(workspace(new NullProjectFiles(), "").runTool("tool"), "NoProjectFiles");
  });

  it("refuses tools that are not well defined", () => {
    const files = new InMemoryProjectFiles({}, systemTimeAndIds);
    expect(() => workspace(files, "", { name: "Not A Name" })).toThrow(z.ZodError);
    expect(() => workspace(files, "", { command: [] })).toThrow(z.ZodError);
    expect(() => workspace(files, "", { shell: true })).toThrow(z.ZodError);
  });
});
