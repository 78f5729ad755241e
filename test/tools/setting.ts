import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { openDeviceTrail } from "../../device/actions/device-trail.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { allowTool } from "../../device/tools/allow-tool.ts";
import { runTool, type ToolRequest, type ToolSetting } from "../../device/tools/run-tool.ts";
import { toolDefinition } from "../../device/workspace/tool-definition.ts";
import { Screen } from "../device/screen.ts";
import { temporaryFolder, temporaryStore } from "../device/setting.ts";

/** A project `Garden` with these files, a data folder beside it (or in it), and an account of its own. */
export function toolsOn(files: Record<string, string>, { dataIn = "" }: { dataIn?: string } = {}) {
  const root = temporaryFolder();
  const dataFolder = dataIn === "" ? temporaryFolder() : join(root, dataIn);
  const variables = { PATH: process.env["PATH"], HOME: temporaryFolder() };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const store = temporaryStore(dataFolder);
  store.projects.link(store.projects.add("Garden").id, root);
  const project = store.projects.findByName("Garden") ?? null;
  const setting: ToolSetting = { dataFolder, store, variables, ...systemTimeAndIds };
  return {
    root,
    dataFolder,
    variables,
    store,
    setting,
    project,
    /** Allows a script of Node's under the name `tool`. */
    allow: (script: string, more: object = {}) =>
      allowTool(
        toolDefinition.parse({ name: "tool", argv: [process.execPath, "-e", script], writes: ["**"], ...more }),
        {
          ...setting,
          replaces: true,
        },
      ),
    run: (more: Partial<ToolRequest> = {}) =>
      runTool({ name: "tool", project, arguments: {}, caller: "person", ...more }, setting),
    text: (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined),
    /** What the device's trail has, as `tool outcome`. */
    audited() {
      const { trail, close } = openDeviceTrail(dataFolder, Date.now);
      onTestFinished(close);
      return [...trail.records()].map(({ caller, tool, outcome }) => `${caller} ${tool} ${outcome}`);
    },
    async scouts(...words: string[]) {
      const [stdout, stderr] = [new Screen(), new Screen()];
      const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
      const context = { io, environment: readEnvironment({}), variables, workingFolder: root, ...systemTimeAndIds };
      const [command = "", ...rest] = words;
      const code = await runCommand(["tool", command, "--data", dataFolder, ...rest], context, "1.2.3");
      return { code, stdout: stdout.written, stderr: stderr.written };
    },
  };
}

/** Node's, with `fs` at hand. */
export const script = (body: string): string => `const fs = require("fs"); ${body}`;
