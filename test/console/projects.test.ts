import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { addEntity } from "../../device/work/change-entities.ts";
import { temporaryFolder } from "../device/setting.ts";
import { startProject } from "./project-home.ts";
import { startConsole } from "./setting.ts";

const tree = {
  "README.md": "# Garden\n",
  "package.json": "{}\n",
  "src/main.ts": "start();\n",
  "src/deep/er/leaf.ts": "leaf();\n",
  "empty.md": "",
};

describe("what a tab does with projects", () => {
  it("lists every project, with a folder and without, and what becomes of its folder", async () => {
    const { home, token, id, about, folder } = await startProject(tree);
    home.store.projects.add("alone");
    const list = await (await home.ask("GET", "/api/projects", { token })).json();
    expect(list).toMatchObject({
      projects: [
        { name: "alone", state: "unlinked", folderPath: null, reading: null, trouble: null, scan: null },
        { id, name: "garden", state: "idle", folderPath: folder.root, totalFiles: 5, reading: { isEnabled: true } },
      ],
    });
    home.scanning.set(id, { phase: "summarize", done: 3, total: 9, tokens: 70 });
    expect((await about("")).body).toMatchObject({ project: { scan: { phase: "summarize", done: 3, total: 9 } } });
    expect((await about("/scan", undefined, "DELETE")).body).toEqual({ cancelled: true });
    expect((await about("/scan", undefined, "DELETE")).body).toEqual({ cancelled: false });
    expect((await about("", undefined)).body).toMatchObject({ project: { scan: null } });
  });

  it("reads a folder again when asked, but not one that another program reads", async () => {
    const { home, id, about } = await startProject(tree);
    expect((await about("/scan", {})).status).toBe(200);
    expect(home.scanned).toEqual([`${id} manual`]);
    const scan = { holder: "other", pid: process.pid, until: Number.MAX_SAFE_INTEGER };
    home.store.projects.beginScan(id, scan, () => false);
    expect(await about("/scan", {})).toMatchObject({ status: 409, body: { error: { code: "scan_running" } } });
  });

  it("gives a project without a folder one, and says why not", async () => {
    const home = await startConsole();
    const token = await home.token();
    const { id } = home.store.projects.add("alone");
    const link = async (path: string) =>
      (await home.ask("POST", `/api/projects/${id}/folder`, { token, body: { path } })).json();
    expect(await link("not/whole")).toMatchObject({ error: { code: "usage", field: "path" } });
    const folder = temporaryFolder();
    expect(await link(`${folder}/none`)).toMatchObject({ error: { code: "folder_not_found" } });
    expect(home.store.projects.get(id).folderPath).toBeNull();
    expect(await link(folder)).toMatchObject({ project: { state: "idle", folderPath: folder } });
    expect(home.scanned).toEqual([`${id} link`]);
  });

  it("says what a folder holds by kind and state, and what to read of it first", async () => {
    const { home, id, about, folder } = await startProject(tree);
    folder.write("src/new.ts", "fresh();\n");
    await folder.scan();
    home.store.folderFiles.setWaiting(id);
    expect((await about("/overview")).body).toMatchObject({
      overview: {
        total: 6,
        byKind: { text: 5, skipped: 1 },
        byState: { current: 4, waiting: 1, skipped: 1 },
        entries: [
          { path: "README.md", summary: "about README.md", state: "current", onDisk: "current" },
          { path: "package.json" },
        ],
      },
    });
  });

  it("tells what the plan covers, and how many files wait for it", async () => {
    const { home, about, folder } = await startProject(tree);
    const plan = { tier: "free", maxFiles: 200, monthlyTokens: 100_000, used: 99_999, resetsAt: 1_800_000_000_000 };
    home.cloud.onRequest = (path, _, response) => {
      if (path !== "/api/v1/billing/quota/check") return "default";
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(plan));
      return "handled";
    };
    folder.write("late.md", "late\n");
    await folder.scan();
    home.store.folderFiles.setWaiting(folder.project.id);
    expect((await about("/plan")).body).toEqual({ plan: { ...plan, waiting: 1 } });
  });

  it("lists the tasks of the project and of no other, and ends and reopens them", async () => {
    const { home, id, about } = await startProject(tree);
    const add = (title: string, due: string | null, projectId: typeof id | null) =>
      addEntity(home.store, "task", { title, due, projectId }, 1_000);
    add("Water", null, id);
    const first = add("Dig", "2026-11-27", id);
    add("Elsewhere", null, null);
    const titles = async () => {
      const { body } = await about("/tasks");
      return body;
    };
    expect(await titles()).toMatchObject({ total: 2, tasks: [{ title: "Dig", status: "open" }, { title: "Water" }] });
    const at = `/tasks/${first.id}/status`;
    expect((await about(at, { status: "done" }, "PUT")).body).toMatchObject({ task: { status: "done" } });
    expect(await titles()).toMatchObject({ tasks: [{ title: "Water" }, { title: "Dig", status: "done" }] });
    await about(at, { status: "open" }, "PUT");
    expect(await titles()).toMatchObject({ tasks: [{ title: "Dig", status: "open" }, { title: "Water" }] });
    const unknown = first.id.replace(/.{4}$/, "0000");
    expect(await about(`/tasks/${unknown}/status`, { status: "done" }, "PUT")).toMatchObject({
      status: 404,
      body: { error: { code: "task_unknown" } },
    });
  });

  it("P2: compares a folder with what is known of it as an agent is told, also one that vanishes meanwhile", async () => {
    const { about, folder } = await startProject(tree);
    const states = async () => {
      const { body } = await about("/files/page", {});
      return JSON.stringify(body).match(/"onDisk":"\w+"/g);
    };
    expect((await about("/disk", {})).body).toEqual({ isReachable: true, wantsScan: false, stale: 0, gone: 0 });
    folder.write("README.md", "# Another garden\n");
    rmSync(`${folder.root}/src/main.ts`);
    expect((await about("/disk", {})).body).toEqual({ isReachable: true, wantsScan: true, stale: 1, gone: 1 });
    expect(await states()).toEqual(
      ["stale", "current", "current", "current", "gone"].map((each) => `"onDisk":"${each}"`),
    );
    folder.summarize(await folder.scan());
    // What was seen before the scan is of no use after it.
    expect(await states()).toEqual(Array.from({ length: 4 }, () => '"onDisk":"current"'));
    rmSync(folder.root, { recursive: true });
    expect((await about("/disk", {})).body).toMatchObject({ isReachable: false });
    expect((await about("/files/page", {})).body).toMatchObject({ total: 4 });
  });
});
