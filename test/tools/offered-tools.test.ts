import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApprovalQuestion } from "../../device/access/policy/approver.ts";
import { ActionTable } from "../../device/actions/action-table.ts";
import { openDeviceTrail } from "../../device/actions/device-trail.ts";
import { keptRuns } from "../../device/tools/kept-runs.ts";
import { offeredTools } from "../../device/tools/offered-tools.ts";
import { offerTool, withdrawTool } from "../../device/tools/offers.ts";
import { readToolList } from "../../device/tools/tool-list.ts";
import { categorizeActionNames } from "../../events/agent-tools/actions.ts";
import { noExtraction } from "../device/actions/setting.ts";
import { quick } from "../rounds.ts";
import { script, toolsOn } from "./setting.ts";

/** An agent's run on a project, with a person who answers as told and remembers what they were asked. */
function agentOn(files: Record<string, string>, answers: boolean) {
  const on = toolsOn(files);
  const asked: ApprovalQuestion[] = [];
  const { setting, dataFolder, store } = on;
  const { trail } = openDeviceTrail(dataFolder, Date.now);
  const session = "run_x";
  const table = new ActionTable({
    ...{ store, dataFolder, caller: "agent:home", session, trail, now: Date.now, extract: noExtraction },
    tools: offeredTools({
      ...{ setting, caller: "agent:home", session },
      approver: () => ({
        async approve(question) {
          asked.push(question);
          return answers;
        },
      }),
    }),
  });
  const id = on.project?.id;
  return {
    ...on,
    asked,
    id,
    call: (tool: string) => table.run("run_tool", { tool, ...(id !== undefined && { project_id: id }) }, "cal_x"),
    manifest: async () => (await table.run("read_project_folder_manifest", { project_id: id }, "cal_y")).text,
  };
}

describe("tools that agents may use", () => {
  it("P3: nothing is run that the person has not offered, whatever a model asks for", async () => {
    const { allow, call, asked, audited } = agentOn({}, true);
    await allow(script(`console.log("ran")`));
    for (const name of ["tool", "sh", "../tool", "tool; id"]) {
      expect(await call(name)).toMatchObject({
        error: "refused",
        text: "No such tool is offered here. Offered: none.",
      });
    }
    expect(asked).toEqual([]);
    expect(audited()).toEqual(Array(4).fill("agent:home run_tool refused"));
  });

  it("P3: the person is asked at the first use, once, and again when the tool is another", async () => {
    const { allow, call, asked, setting, project, audited } = agentOn({}, true);
    await allow(script(`console.log("ran")`));
    await offerTool("tool", project, {}, setting);
    expect((await call("tool")).text).toMatch(/^\{"tool":"tool","end":"exited","exitCode":0\}\nran\n$/);
    await call("tool");
    expect(asked.map(({ kind, why, caller }) => [kind, why, caller])).toEqual([
      ["tool", "tool_first_use", "agent:home"],
    ]);
    await allow(script(`console.log("other")`));
    expect((await call("tool")).text).toContain("other");
    expect(asked).toHaveLength(2);
    await withdrawTool("tool", undefined, setting);
    expect(await call("tool")).toMatchObject({ error: "refused" });
    expect(audited().filter((line) => line.startsWith("agent:home tool:tool"))).toHaveLength(6);
  });

  it("P3: without a yes it is not run, and nothing is remembered", async () => {
    const { allow, call, asked, setting, project } = agentOn({}, false);
    await allow(script(`fs.writeFileSync("/tmp/never", "")`));
    await offerTool("tool", project, {}, setting);
    expect(await call("tool")).toMatchObject({ error: "refused" });
    expect(await call("tool")).toMatchObject({ error: "refused" });
    expect(asked).toHaveLength(2);
    expect(readToolList(setting).offers).toMatchObject([{ approved: null }]);
  });

  it("P3: what it changes waits for the person; the model is told names only", async () => {
    const { allow, call, text, setting, project, dataFolder } = agentOn({ "a.txt": "1\n" }, true);
    await allow(script(`fs.writeFileSync("a.txt", "2\\n")`));
    await offerTool("tool", project, {}, setting);
    expect((await call("tool")).text).toContain('"waitsForThePerson":["update a.txt"]');
    expect(text("a.txt")).toBe("1\n");
    expect(keptRuns(dataFolder)).toMatchObject([{ run: { caller: "agent:home", state: "waiting" } }]);
  });

  it("P1: its copy has nothing that is kept from agents, and credentials in its output are not shown", async () => {
    const files = { ".env": "SECRET=1", "private/x.txt": "CANARY", ".scoutsignore": "private/", "a.txt": "" };
    const { allow, call, setting, project } = agentOn(files, true);
    const token = `ghp_${"aB3dE5fG7hI9".repeat(3)}`;
    await allow(
      script(`console.log(fs.readdirSync(".", { recursive: true }).sort().join()); console.log("token " + "${token}")`),
    );
    await offerTool("tool", project, {}, setting);
    const { text } = await call("tool");
    expect(text).toContain(".scoutsignore,a.txt\n");
    expect(text).not.toContain(token);
  });

  it.skipIf(quick)("P3: what it is called with is the person's, and a model adds nothing", async () => {
    const { allow, call, setting, project, id } = agentOn({}, true);
    const more = { argv: [process.execPath, "-e", "console.log(process.argv[1])", "{word}"] };
    await allow("", { ...more, arguments: { word: { type: "enum", values: ["one", "two"] } } });
    await expect(offerTool("tool", project, {}, setting)).rejects.toMatchObject({ code: "tool_argument_invalid" });
    await offerTool("tool", project, { word: "two" }, setting);
    expect((await call("tool")).text).toMatch(/\ntwo\n$/);
    expect(id).toBeDefined();
    await allow("", { ...more, arguments: { word: { type: "enum", values: ["one"] } } });
    // The offer no longer fits the tool.
    expect(await call("tool")).toMatchObject({
      error: "refused",
      text: "The tool was not run (tool_argument_invalid).",
    });
  });

  it("are named with the list of files, and only there", async () => {
    const { allow, setting, project, manifest } = agentOn({ "a.txt": "1" }, true);
    await allow("", { description: "checks the style" });
    expect(await manifest()).not.toContain("run_tool");
    await offerTool("tool", project, {}, setting);
    expect(await manifest()).toMatch(
      /Programs the person offers in this project \(run_tool\):\ntool: "checks the style"$/,
    );
  });

  it("P3: a tool in place is never offered, and what sorts proposals has no tools", async () => {
    const { allow, setting, project } = agentOn({}, true);
    await allow("", { inPlace: true, writes: [] });
    await expect(offerTool("tool", project, {}, setting)).rejects.toMatchObject({ code: "tool_refused" });
    expect(categorizeActionNames).not.toContain("run_tool");
  });

  it.skipIf(quick)("at the command line are offered, listed and withdrawn", async () => {
    const { allow, scouts, root } = agentOn({}, true);
    writeFileSync(join(root, "a.txt"), "");
    await allow("");
    expect(await scouts("offer", "tool", "--project", "Garden")).toMatchObject({ code: 0, stderr: "" });
    expect((await scouts("list")).stdout).toContain("offered to agents in Garden: you are asked at its first use");
    expect((await scouts("withdraw", "tool")).stdout).toBe("withdrawn  tool\n");
    expect((await scouts("withdraw", "tool")).stdout).toBe("It was not offered.\n");
  });
});
