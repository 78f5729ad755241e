import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readManifest, readRecent } from "../../../device/folders/manifest/read-manifest.ts";
import { startScan } from "../../../device/folders/scanner/start-scan.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import type { ProjectId } from "../../../events/ids.ts";
import { temporaryFolder, temporaryStore } from "../setting.ts";

/** Long enough ago for a scan to rely on (device/folders/scanner/file-times.ts). */
const anHourAgo = new Date(Date.now() - 3_600_000);
const later = () => Date.now() + 60_000;

function folderOf(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text);
    utimesSync(join(root, name), anHourAgo, anHourAgo);
  }
  return root;
}

/** Scanned, every file with the summary `About <path>`. */
async function linked(store: DeviceStore, name: string, root: string): Promise<ProjectId> {
  const { id } = store.projects.add(name);
  store.projects.link(id, root);
  const scan = await startScan({ store, projectId: id, now: later });
  for (const { relPath, kind, contentHash } of scan.result.toSummarize) {
    const made = { kind, summary: `About ${relPath}`, tag: null, promptVersion: "p/1" };
    store.folderFiles.setSummary(id, relPath, contentHash, made);
  }
  scan.finish({ status: "completed" });
  return id;
}

describe("4.3 and 4.4: a manifest that is read", () => {
  test("wants no scan while the folder is as it was scanned", async () => {
    const store = temporaryStore(undefined, later);
    const id = await linked(store, "Garden", folderOf({ "README.md": "# Garden", "src/a.ts": "export {}" }));
    const manifest = await readManifest(id, { store, now: later });
    expect(manifest).toMatchObject({ listed: ["README.md", "src/a.ts"], omitted: 0, wantsScan: false });
    expect(manifest.text).toContain("\n  a.ts text/code: About src/a.ts\n");
  });

  test("marks what changed and what is gone since, names nothing new, and wants a scan", async () => {
    const store = temporaryStore(undefined, later);
    const root = folderOf({ "a.md": "one", "b.md": "two", "c.md": "three" });
    const id = await linked(store, "Garden", root);
    writeFileSync(join(root, "a.md"), "one and more");
    rmSync(join(root, "b.md"));
    const manifest = await readManifest(id, { store, now: later });
    expect(manifest.wantsScan).toBe(true);
    expect(manifest.text).toContain(
      "\na.md text/doc stale: About a.md\nb.md text/doc gone: About b.md\nc.md text/doc: About c.md\n",
    );
  });

  test("a new file alone wants a scan; one of a type that is not read does not", async () => {
    const store = temporaryStore(undefined, later);
    const root = folderOf({ "a.md": "one" });
    const id = await linked(store, "Garden", root);
    writeFileSync(join(root, "film.mov"), "x");
    expect((await readManifest(id, { ...systemTimeAndIds, store })).wantsScan).toBe(false);
    writeFileSync(join(root, "b.md"), "two");
    expect((await readManifest(id, { ...systemTimeAndIds, store })).wantsScan).toBe(true);
  });

  test("a folder whose disk is away keeps its manifest, which says so", async () => {
    const store = temporaryStore(undefined, later);
    const root = folderOf({ "a.md": "one" });
    const id = await linked(store, "Garden", root);
    rmSync(root, { recursive: true });
    const manifest = await readManifest(id, { ...systemTimeAndIds, store });
    expect(manifest).toMatchObject({ listed: ["a.md"], wantsScan: false });
    expect(manifest.text).toContain("The folder cannot be reached at the moment.");
  });

  test("a project without a folder has none, by name", async () => {
    const store = temporaryStore();
    const { id } = store.projects.add("Attic");
    await expect(readManifest(id, { ...systemTimeAndIds, store })).rejects.toThrow(
      "No folder is linked to Attic; link one: scouts project link",
    );
  });

  test("the block of all projects has every linked one with the files that changed last", async () => {
    const store = temporaryStore(undefined, later);
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`note-${at}.md`, `text ${at}`]));
    const root = folderOf(many);
    for (let at = 0; at < 8; at++) utimesSync(join(root, `note-${at}.md`), at, at);
    await linked(store, "Garden", root);
    await linked(store, "House", folderOf({ "plan.md": "# Plan" }));
    store.projects.add("Attic");
    const { text, projects } = await readRecent({ ...systemTimeAndIds, store });
    expect(projects).toBe(2);
    expect(text.match(/note-\d/g)?.slice(0, 1)).toEqual(["note-7"]);
    expect(text.match(/^ {2}\S+/gm)).toHaveLength(6);
    expect(text).not.toContain("Attic");
  });
});
