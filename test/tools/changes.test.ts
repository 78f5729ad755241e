import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject } from "../../device/access/open-project.ts";
import { openPersonSession } from "../../device/access/person-session.ts";
import { nobody } from "../../device/access/policy/approver.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { applyChanges, discardChanges, waitingChanges } from "../../device/tools/apply-changes.ts";
import { keptRuns, viewRootOf, writeKeptRun } from "../../device/tools/kept-runs.ts";
import type { ToolRun } from "../../device/tools/run-tool.ts";
import { quick } from "../rounds.ts";
import { script, toolsOn } from "./setting.ts";

const all = ({ offered }: Pick<ToolRun, "offered">) => new Map(offered.map(({ path, after }) => [path, after]));

describe("what a tool changes in its copy", () => {
  it("P3: waits for the person, and comes into the project when they say yes", async () => {
    const { allow, run, text, setting, dataFolder, audited } = toolsOn({ "a.txt": "one\n", "gone.txt": "x" });
    await allow(script(`fs.writeFileSync("a.txt", "two\\n"); fs.writeFileSync("new.txt", "n"); fs.rmSync("gone.txt")`));
    const ran = await run();
    expect(ran.offered.map(({ action, path }) => `${action} ${path}`)).toEqual([
      "delete gone.txt",
      "update a.txt",
      "create new.txt",
    ]);
    expect(ran.offered[1]?.diff).toContain("-one\n+two\n");
    expect([text("a.txt"), text("new.txt"), text("gone.txt")]).toEqual(["one\n", undefined, "x"]);
    await applyChanges(ran.id, all(ran), setting);
    expect([text("a.txt"), text("new.txt"), text("gone.txt")]).toEqual(["two\n", "n", undefined]);
    expect(keptRuns(dataFolder)).toEqual([]);
    expect(readdirSync(viewRootOf(dataFolder))).toEqual([]);
    expect(audited()).toEqual(["person tool:tool started", "person tool:tool exit 0"]);
  });

  it("P2: is part of the history, each change with its audit, and can be taken back as a whole", async () => {
    const { allow, run, text, setting, root, dataFolder } = toolsOn({ "a.txt": "one\n" });
    await allow(script(`fs.writeFileSync("a.txt", "two\\n"); fs.writeFileSync("new.txt", "n")`));
    const ran = await run();
    await applyChanges(ran.id, all(ran), setting);
    const { access, close } = await openProject({ ...systemTimeAndIds, root, dataFolder, approver: nobody });
    const made = [...access.audit.records()].filter(({ session }) => session === ran.id);
    expect(made.map(({ tool, decision, files }) => [tool, decision, files[0]?.path])).toEqual([
      ["tool:tool", "approved", "a.txt"],
      ["tool:tool", "approved", "new.txt"],
    ]);
    expect(access.audit.verify().ok).toBe(true);
    expect(await access.undoSession(openPersonSession(access), ran.id)).toMatchObject({ ok: true });
    expect([text("a.txt"), text("new.txt")]).toEqual(["one\n", undefined]);
    close();
  });

  it("stays in the copy where the tool may not write, where programs are configured, and what is no file", async () => {
    const { allow, run, text, setting } = toolsOn({ "src/a.txt": "1", README: "1", ".git/config": "1" });
    const body = `for (const path of ["src/a.txt", "README", ".git/config", "src/.mcp.json"]) fs.writeFileSync(path, "2"); fs.symlinkSync("/etc/passwd", "src/link"); fs.mkdirSync("src/sub"); fs.symlinkSync("..", "src/sub/up")`;
    await allow(script(body), { writes: ["src/**", ".git/**"] });
    const ran = await run();
    expect(ran.offered.map(({ path }) => path)).toEqual(["src/a.txt"]);
    expect(ran.refused.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
      ".git/config protected",
      "README not-declared",
      "src/.mcp.json protected",
      "src/link symlink",
      "src/sub/up symlink",
    ]);
    // Nobody can approve what was not offered.
    const more = new Map([...all(ran), ["README", ran.offered[0]?.after ?? null]]);
    await applyChanges(ran.id, more, setting);
    expect([text("src/a.txt"), text("README"), text(".git/config"), text("src/link")]).toEqual([
      "2",
      "1",
      "1",
      undefined,
    ]);
  });

  it("of a tool that may write nothing is thrown away, and said", async () => {
    const { allow, run, dataFolder } = toolsOn({ "a.txt": "1" });
    await allow(script(`fs.writeFileSync("a.txt", "2")`), { writes: [] });
    expect(await run()).toMatchObject({ offered: [], refused: [{ path: "a.txt", reason: "not-declared" }] });
    expect(readdirSync(viewRootOf(dataFolder))).toEqual([]);
  });

  it.skipIf(quick)("a mode is shown, and one that would give more rights than permissions do not travel", async () => {
    const { allow, run, setting, root } = toolsOn({ "a.sh": "1", "b.sh": "1" });
    chmodSync(join(root, "a.sh"), 0o644);
    chmodSync(join(root, "b.sh"), 0o644);
    await allow(script(`fs.chmodSync("a.sh", 0o4755); fs.writeFileSync("new.sh", "x", { mode: 0o755 })`));
    const ran = await run();
    expect(ran.offered.map(({ path, notes }) => [path, ...notes])).toEqual([
      ["a.sh", "permissions 644 become 755"],
      ["new.sh", expect.stringContaining("can be run as a program")],
    ]);
    await applyChanges(ran.id, all(ran), setting);
    expect(statSync(join(root, "a.sh")).mode & 0o7777).toBe(0o755);
  });

  it("P2: what changed in the project meanwhile stands, and the tool's version is kept beside it", async () => {
    const { allow, run, text, setting, root } = toolsOn({ "a.txt": "base" });
    await allow(script(`fs.writeFileSync("a.txt", "tool")`));
    const ran = await run();
    writeFileSync(join(root, "a.txt"), "person");
    const { changes } = await applyChanges(ran.id, all(ran), setting);
    const [conflict] = changes;
    expect(conflict).toMatchObject({ action: "conflict", reason: "both-changed" });
    expect(text("a.txt")).toBe("person");
    expect(text((conflict?.action === "conflict" && conflict.keptBeside) || "")).toBe("tool");
  });

  it("P3: what is not as it was approved does not come, and waits", async () => {
    const { allow, run, text, setting, dataFolder } = toolsOn({ "a.txt": "1", "b.txt": "1" });
    await allow(script(`fs.writeFileSync("a.txt", "2"); fs.writeFileSync("b.txt", "2")`));
    const ran = await run();
    // Something that outlived the tool goes on writing.
    const [kept] = keptRuns(dataFolder);
    writeFileSync(join(kept?.view ?? "", "files", "b.txt"), "evil");
    expect(await applyChanges(ran.id, all(ran), setting)).toMatchObject({ stillWaiting: 1 });
    expect([text("a.txt"), text("b.txt")]).toEqual(["2", "1"]);
    const waiting = await waitingChanges(ran.id, setting);
    expect(waiting.offered.map(({ path }) => path)).toEqual(["b.txt"]);
    await discardChanges(ran.id, setting);
    expect(text("b.txt")).toBe("1");
    await expect(waitingChanges(ran.id, setting)).rejects.toMatchObject({ code: "tool_run_unknown" });
  });

  it("P2: two who bring in the same changes do it once", async () => {
    const { allow, run, text, setting } = toolsOn({ "a.txt": "1" });
    await allow(script(`fs.writeFileSync("a.txt", "2")`));
    const ran = await run();
    const both = await Promise.allSettled([0, 1].map(() => applyChanges(ran.id, all(ran), setting)));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "tool_run_unknown" } });
    expect(text("a.txt")).toBe("2");
  });

  it("P2: what was approved and begun before a crash is gone on with, and nothing is done twice", async () => {
    const { allow, run, text, setting, root, dataFolder } = toolsOn({ "a.txt": "1", "b.txt": "1" });
    await allow(script(`for (const name of ["a", "b"]) fs.writeFileSync(name + ".txt", "2")`));
    const ran = await run();
    // As a crash leaves it: the approval and the first file are on the disk.
    const [kept] = keptRuns(dataFolder);
    if (kept === undefined) throw new Error("nothing was kept");
    writeKeptRun(kept.view, { ...kept.run, state: "applying", approved: [...all(ran)] });
    writeFileSync(join(root, "a.txt"), "2");
    const { changes } = await applyChanges(ran.id, new Map(), setting);
    expect(changes.map(({ path }) => path)).toEqual(["b.txt"]);
    expect([text("a.txt"), text("b.txt"), keptRuns(dataFolder)]).toEqual(["2", "2", []]);
  });

  it.skipIf(quick)(
    "P2: of a process killed while it brings them in nothing is lost; the same again goes on",
    async () => {
      const { allow, run, text, setting, dataFolder, store } = toolsOn({ "a.txt": "1", "b.txt": "1" });
      await allow(script(`for (const name of ["a", "b", "c"]) fs.writeFileSync(name + ".txt", "2")`));
      const ran = await run();
      const at = (path: string) => JSON.stringify(new URL(`../../device/${path}`, import.meta.url).href);
      const killed = spawnSync(process.execPath, [
        "--input-type=module",
        "-e",
        `import { applyChanges, waitingChanges } from ${at("tools/apply-changes.ts")};
       import { openDeviceStore } from ${at("store/open.ts")};
       import { systemTimeAndIds } from ${at("time-and-ids.ts")};
       import { FsProjectFiles } from ${at("files/backends/fs/fs-project-files.ts")};
       const write = FsProjectFiles.prototype.write;
       FsProjectFiles.prototype.write = async function (path, bytes, options) {
         if (path === "b.txt") process.kill(process.pid, "SIGKILL");
         return write.call(this, path, bytes, options);
       };
       const [dataFolder, id] = process.argv.slice(1);
       const setting = { dataFolder, store: openDeviceStore({ dataFolder, ...systemTimeAndIds }), ...systemTimeAndIds };
       const { offered } = await waitingChanges(id, setting);
       await applyChanges(id, new Map(offered.map(({ path, after }) => [path, after])), setting);`,
        dataFolder,
        ran.id,
      ]);
      expect(killed.signal).toBe("SIGKILL");
      expect([text("a.txt"), text("b.txt"), text("c.txt")]).toEqual(["2", "1", undefined]);
      expect(keptRuns(dataFolder)).toMatchObject([{ run: { state: "applying" } }]);
      // Another run cleans up what is abandoned; this is not.
      await run({ keepsChanges: false });
      await applyChanges(ran.id, new Map(), setting);
      expect([text("a.txt"), text("b.txt"), text("c.txt")]).toEqual(["2", "2", "2"]);
      expect(keptRuns(dataFolder)).toEqual([]);
      expect(store.projects.findByName("Garden")).toBeDefined();
    },
  );
});

it("rules that deny a change hold for tools too, the person's and the project's", async () => {
  const project = JSON.stringify({ write: { deny: ["b.txt"] } });
  const { allow, run, dataFolder } = toolsOn({ "a.txt": "1", "b.txt": "1", "c.txt": "1", ".scouts.json": project });
  mkdirSync(join(dataFolder, "device"), { recursive: true });
  writeFileSync(join(dataFolder, "device", "config.json"), JSON.stringify({ write: { deny: ["a.txt"] } }));
  await allow(script(`for (const name of ["a", "b", "c"]) fs.writeFileSync(name + ".txt", "2")`));
  const { offered, refused } = await run();
  expect(offered.map(({ path }) => path)).toEqual(["c.txt"]);
  expect(refused).toEqual([
    { path: "a.txt", reason: "denied" },
    { path: "b.txt", reason: "denied" },
  ]);
});
