import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { containmentOf } from "../../device/tools/containment.ts";
import { keptRuns, mostKeptRuns, viewRootOf, writeKeptRun } from "../../device/tools/kept-runs.ts";
import { listTools } from "../../device/tools/list-tools.ts";
import { confirmToolList, readToolList, toolListFile } from "../../device/tools/tool-list.ts";
import { toolDefinition } from "../../device/workspace/tool-definition.ts";
import { temporaryFolder } from "../device/setting.ts";
import { quick } from "../rounds.ts";
import { script, toolsOn } from "./setting.ts";

describe("a list of tools", () => {
  it("P3: that a project brings is not read, and the person is told", async () => {
    const tools = [{ name: "tool", argv: ["touch", "/tmp/never"] }];
    const brought = JSON.stringify({ tools });
    const { run, project, setting, scouts } = toolsOn({
      "scouts-tools.json": brought,
      ".scouts/tools.json": brought,
      ".scouts.json": brought,
    });
    await expect(run()).rejects.toMatchObject({ code: "tool_unknown" });
    expect(await listTools(project, setting)).toMatchObject({
      tools: [],
      ignored: ["scouts-tools.json", ".scouts/tools.json", ".scouts.json"],
    });
    expect((await scouts("list", "--project", "Garden")).stdout).toContain("It is not read: only you say what is run");
    expect((await scouts("run", "tool", "--project", "Garden")).stderr).toMatch(
      /It is not read[\s\S]*\(tool_unknown\)/,
    );
  });

  it("P3: that a data folder of somebody else's brings is not run before the person says it is theirs", async () => {
    const { allow, run, setting, dataFolder } = toolsOn({}, { dataIn: ".scouts" });
    await allow(script(`console.log("ran")`));
    expect((await run()).output).toBe("ran\n");
    const stranger = { ...setting, variables: { ...setting.variables, HOME: temporaryFolder() } };
    expect(readToolList(stranger)).toMatchObject({ isConfirmed: false, tools: [{ name: "tool" }] });
    const list = JSON.parse(readFileSync(toolListFile(dataFolder), "utf8"));
    list.tools[0].argv = ["touch", "/tmp/never"];
    writeFileSync(toolListFile(dataFolder), JSON.stringify(list));
    await expect(run()).rejects.toMatchObject({ code: "tool_list_unconfirmed" });
    await confirmToolList(setting);
    expect(readToolList(setting)).toMatchObject({ isConfirmed: true });
  });

  it("says plainly what is contained and what is not, when a tool is allowed", async () => {
    const { scouts } = toolsOn({});
    const { stdout, code } = await scouts("allow", "fmt", "--writes", "src/**", "--", "./fmt.sh", "-x");
    expect(code).toBe(0);
    expect(stdout).toMatch(/by their full names it can read and change every file that you can/);
    expect(stdout).toMatch(/It can use the network/);
    expect(stdout).toMatch(/The program itself, \.\/fmt\.sh, lies in the project/);
    expect(await scouts("allow", "fmt", "--", "fmt")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("(tool_exists)"),
    });
    expect(await scouts("allow", "bad", "--", "fmt", "{what}")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("(tool_invalid)"),
    });
    expect(await scouts("remove", "fmt")).toMatchObject({ code: 0 });
    expect(await scouts("remove", "fmt")).toMatchObject({ code: 3 });
  });
});

describe("running a tool", () => {
  it("reads outside by absolute path, as was said: nothing pretends that it cannot", async () => {
    const outside = join(temporaryFolder(), "private.txt");
    writeFileSync(outside, "canary");
    const { allow, run } = toolsOn({});
    await allow(script(`console.log(fs.readFileSync(${JSON.stringify(outside)}, "utf8"))`));
    expect((await run()).output).toBe("canary\n");
    const { notContained } = containmentOf(toolDefinition.parse({ name: "tool", argv: ["x"] }));
    expect(notContained[0]).toContain("it can read and change every file that you can");
  });

  it("does not have the data folder in its copy, wherever in the project that lies and whatever it is called", async () => {
    const { allow, run } = toolsOn({ "a.txt": "" }, { dataIn: "state/mine" });
    await allow(script(`console.log(fs.readdirSync(".", { recursive: true }).join())`));
    expect((await run()).output).toBe("a.txt\n");
  });

  it("P2: in place is asked about every time, and refused where nobody answers", async () => {
    const { allow, run, text, scouts, audited } = toolsOn({});
    await allow(script(`fs.appendFileSync("log", "x")`), { inPlace: true, writes: [] });
    const asked: string[] = [];
    const mayWorkInPlace = async (root: string) => asked.push(root) > 0;
    await run({ mayWorkInPlace });
    await run({ mayWorkInPlace });
    expect([text("log"), asked.length]).toEqual(["xx", 2]);
    await expect(run()).rejects.toMatchObject({ code: "tool_refused" });
    expect(await scouts("run", "tool", "--project", "Garden", "--yes")).toMatchObject({ code: 1 });
    await expect(run({ project: null, mayWorkInPlace })).rejects.toMatchObject({ code: "tool_refused" });
    expect(text("log")).toBe("xx");
    expect(audited()).toHaveLength(4);
  });

  it.skipIf(quick)("keeps a long output as an artifact, and shows its beginning and end", async () => {
    const { allow, run, scouts, dataFolder } = toolsOn({});
    await allow(script(`console.log("BEGIN" + "x".repeat(60_000) + "END")`));
    const { output, artifact } = await run();
    expect(output).toMatch(/^BEGINx+\n\[… 40009 characters left out …\]\nx+END\n$/);
    expect(existsSync(dataFolder)).toBe(true);
    expect((await scouts("run", "tool")).stdout).toMatch(/scouts artifacts show /);
    expect(artifact).not.toBeNull();
  });

  it.skipIf(quick)("P2: what was ended half-way is not offered", async () => {
    const { allow, run, dataFolder } = toolsOn({ "a.txt": "1" });
    await allow(
      script(
        `fs.writeFileSync("a.txt", ""); const big = fs.openSync("big", "w"); for (;;) fs.writeSync(big, Buffer.alloc(65536, 1))`,
      ),
      {
        maxWrittenBytes: 2 * 1024 ** 2,
      },
    );
    expect(await run()).toMatchObject({ end: "wrote-too-much", offered: [], refused: [] });
    expect(keptRuns(dataFolder)).toEqual([]);
  });

  it.skipIf(quick)("refuses to begin when too many runs wait, and says so", async () => {
    const { allow, run, dataFolder, project } = toolsOn({});
    await allow("");
    if (project === null) throw new Error("no project");
    for (let at = 0; at < mostKeptRuns; at++) {
      mkdirSync(viewRootOf(dataFolder), { recursive: true });
      const view = mkdtempSync(join(viewRootOf(dataFolder), "view-"));
      for (const name of ["kept", "base.json"]) writeFileSync(join(view, name), "");
      const who = { id: `tlr_${at}`, tool: "tool", projectId: project.id, writes: [], caller: "agent:home", at };
      writeKeptRun(view, { ...who, state: "waiting", shown: [], approved: [] });
    }
    await expect(run()).rejects.toMatchObject({ code: "tool_changes_waiting" });
  });

  it.skipIf(quick)("a link in the project that leads out of it is not followed by the copy", async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, "x"), "1");
    const { allow, run, root } = toolsOn({ "a.txt": "" });
    symlinkSync(outside, join(root, "out"));
    await allow(script(`console.log(fs.readdirSync(".").join())`));
    expect(await run()).toMatchObject({ output: "a.txt\n", leftOut: ["out"] });
  });
});

describe("at the command line", () => {
  it("P3: --yes brings in what was shown, and nothing else; without it changes wait", async () => {
    const { allow, scouts, text, dataFolder } = toolsOn({ "a.txt": "1\n", "big.txt": "1\n" });
    await allow(
      script(
        `fs.writeFileSync("a.txt", "2\\n"); fs.writeFileSync("big.txt", "x\\n".repeat(3_000)); fs.writeFileSync("bin", Buffer.from([0, 1, 2]))`,
      ),
    );
    const first = await scouts("run", "tool", "--project", "Garden");
    expect(first).toMatchObject({ code: 6, stderr: "" });
    expect(first.stdout).toMatch(/\+2\n[\s\S]*more lines are not shown[\s\S]*not shown as text[\s\S]*They wait/);
    expect(text("a.txt")).toBe("1\n");
    const id = keptRuns(dataFolder)[0]?.run.id ?? "";
    expect(await scouts("apply", id)).toMatchObject({ code: 6 });
    const applied = await scouts("apply", id, "--yes");
    expect(applied).toMatchObject({ code: 6, stdout: expect.stringContaining("2 more wait") });
    expect([text("a.txt"), text("big.txt"), text("bin")]).toEqual(["2\n", "1\n", undefined]);
    expect(await scouts("discard", id)).toMatchObject({ code: 0 });
    expect((await scouts("changes")).stdout).toBe("No changes wait.\n");
  });

  it("P3: --yes brings in what JSON shows as text, and nothing else", async () => {
    const { allow, scouts, text } = toolsOn({ "a.txt": "1\n" });
    await allow(script(`fs.writeFileSync("a.txt", "2\\n"); fs.writeFileSync("bin", Buffer.from([0, 1, 2]))`));
    const { code, stdout } = await scouts("run", "tool", "--project", "Garden", "--yes", "--json");
    expect([code, text("a.txt"), text("bin")]).toEqual([6, "2\n", undefined]);
    const { offered, applied } = JSON.parse(stdout);
    expect(offered).toHaveLength(2);
    expect(applied).toMatchObject({
      changes: expect.arrayContaining([expect.objectContaining({ path: "a.txt", action: "update" })]),
      stillWaiting: 1,
    });
    await allow(script(`fs.writeFileSync("a.txt", "3\\n")`));
    expect(await scouts("run", "tool", "--project", "Garden", "--yes", "--json")).toMatchObject({ code: 0 });
    expect(text("a.txt")).toBe("3\n");
  });

  it.skipIf(quick)(
    "a tool that fails ends the command as failed; arguments are checked, and JSON tells all",
    async () => {
      const { allow, scouts } = toolsOn({});
      const more = { argv: [process.execPath, "-e", "process.exit(Number(process.argv[1]))", "{code}"] };
      await allow("", { ...more, arguments: { code: { type: "integer", min: 0, max: 9 } } });
      expect(await scouts("run", "tool", "--with", "code=3")).toMatchObject({
        code: 1,
        stdout: expect.stringContaining("exit code 3"),
      });
      const told = await scouts("run", "tool", "--with", "code=10", "--json");
      expect(JSON.parse(told.stdout)).toMatchObject({ success: false, code: "tool_argument_invalid" });
      const { code, stdout } = await scouts("run", "tool", "--with", "code=0", "--json");
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { end: "exited", exitCode: 0, offered: [] }]);
    },
  );
});
