import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { AuditTrail } from "../../device/access/audit/trail.ts";
import { openProjectDatabase } from "../../device/access/open-access.ts";
import { OpenedProjects } from "../../device/actions/opened-projects.ts";
import { readProjectFile } from "../../device/actions/read-project-file.ts";
import { rowOf } from "../device/manifest-row.ts";
import { docxWith, pdfWith, pngOf } from "../device/scanner/documents.ts";
import { temporaryFolder } from "../device/setting.ts";
import { quick } from "../rounds.ts";
import { changedByAgent, type ProjectHome, startProject } from "./project-home.ts";

const treeRow = z.looseObject({
  type: z.string(),
  depth: z.number(),
  name: z.string().optional(),
  files: z.number().optional(),
  file: z.looseObject({ path: z.string(), number: z.number(), kind: z.string(), state: z.string() }).optional(),
});
const rowsIn = z.object({ rows: z.array(treeRow), total: z.number() });
const shownIn = z.object({ preview: z.looseObject({ form: z.string(), text: z.string().default("") }) });
const versionsIn = z.object({ versions: z.array(z.looseObject({ id: z.string(), tool: z.string() })) });
const diffIn = z.object({ diff: z.string(), isCut: z.boolean(), currentHash: z.string().nullable() });

const pathsIn = (body: unknown) => rowsIn.parse(body).rows.map(({ file, name }) => file?.path ?? `${name}/`);

/** Asks about one file. */
const onFile =
  ({ about, numberOf }: ProjectHome, path: string) =>
  (what: string, body: object) =>
    about(`/files/${numberOf(path)}/${what}`, body);

describe("the list of a project's files", () => {
  it("gives any part of 1,200 files by path, each once, and finds them by parts of their names without case and accents", async () => {
    const { home, id, about } = await startProject({});
    home.store.transaction(() => {
      for (let n = 0; n < 1_200; n += 1) {
        const path = `dir${n % 7}/sub/file-${String(n).padStart(4, "0")}${n % 100 === 0 ? "-Crêpe" : ""}.md`;
        home.store.folderFiles.put(id, rowOf(path, `${n}`));
      }
    });
    const seen: string[] = [];
    for (const from of [0, 100, 1_100, 1_200]) {
      const { body } = await about("/files/page", { from });
      expect(rowsIn.parse(body).total).toBe(1_200);
      seen.push(...pathsIn(body));
    }
    expect(seen).toHaveLength(300);
    expect(new Set(seen).size).toBe(300);
    expect(seen).toEqual(seen.toSorted());
    expect(pathsIn((await about("/files/page", { words: "CREPE dir0" })).body)).toEqual([
      "dir0/sub/file-0000-Crêpe.md",
      "dir0/sub/file-0700-Crêpe.md",
    ]);
    expect(rowsIn.parse((await about("/files/page", { words: "%' OR 1=1" })).body).total).toBe(0);
    expect((await about("/files/page", { words: "x".repeat(201) })).status).toBe(400);
  });

  it("narrows by kind, and says of each file its kind, state and reason", async () => {
    const files = {
      "a.md": "a\n",
      "b.png": pngOf(4, 4),
      "c.pdf": pdfWith("Words of a page"),
      "d.docx": docxWith("Words of a letter"),
      "e.md": "",
      "f.md": "fails\n",
    };
    const { home, id, about } = await startProject(files);
    const row = home.store.folderFiles.find(id, "f.md");
    home.store.folderFiles.setError(id, "f.md", row?.contentHash ?? "", "model_unavailable");
    for (const [show, paths] of Object.entries({
      all: Object.keys(files),
      text: ["a.md"],
      image: ["b.png"],
      pdf: ["c.pdf"],
      office: ["d.docx"],
      skipped: ["e.md"],
      failed: ["f.md"],
    }))
      expect(pathsIn((await about("/files/page", { show })).body), show).toEqual(paths);
    expect((await about("/files/page", { show: "skipped" })).body).toMatchObject({
      rows: [{ file: { kind: "text", state: "skipped", summary: null, reason: { code: "empty" } } }],
    });
    expect((await about("/files/page", { show: "failed" })).body).toMatchObject({
      rows: [{ file: { kind: "text", state: "failed", reason: { code: "model_unavailable" } } }],
    });
    expect((await about("/files/page", { show: "everything" })).status).toBe(400);
  });

  it("is a tree as well: folders before files, the content of open ones alone, any part of it", async () => {
    const tree = { "z.md": "z\n", "a/one.md": "1\n", "a/b/two.md": "2\n", "a/b/three.md": "3\n", "é_%/four.md": "4\n" };
    const { about } = await startProject({ ...tree, "a.md": "a\n", "a0/five.md": "5\n" });
    const lines = async (body: object) => {
      const { body: answer } = await about("/files/tree", body);
      return rowsIn
        .parse(answer)
        .rows.map(({ depth, name, files, file }) => `${depth} ${file?.path ?? `${name}/ ${files}`}`);
    };
    expect(await lines({})).toEqual(["0 a/ 3", "0 a0/ 1", "0 é_%/ 1", "0 a.md", "0 z.md"]);
    const all = ["0 a/ 3", "1 b/ 2", "2 a/b/three.md", "2 a/b/two.md", "1 a/one.md", "0 a0/ 1", "0 é_%/ 1"];
    expect(await lines({ open: ["a", "a/b", "nowhere"] })).toEqual([...all, "0 a.md", "0 z.md"]);
    expect(await lines({ open: ["a", "a/b"], from: 3 })).toEqual([...all, "0 a.md", "0 z.md"].slice(3));
    expect(await lines({ open: ["é_%"] })).toEqual([
      "0 a/ 3",
      "0 a0/ 1",
      "0 é_%/ 1",
      "1 é_%/four.md",
      "0 a.md",
      "0 z.md",
    ]);
    // What is in a closed folder is not shown because a folder in it is open.
    expect(await lines({ open: ["a/b"] })).toEqual(["0 a/ 3", "0 a0/ 1", "0 é_%/ 1", "0 a.md", "0 z.md"]);
    expect(await lines({ open: ["a"], words: "two" })).toEqual(["0 a/ 1", "1 b/ 1"]);
  });

  it("takes names as they are: line ends, marks that turn the direction, markup, as long as a disk allows", async () => {
    const names = ["a\nb.md", "\u202Egpj.md", "<img src=x onerror=alert(1)>.md", `${"w".repeat(252)}.md`, "'; DROP.md"];
    const project = await startProject(Object.fromEntries(names.map((name) => [name, `in ${name}\n`])));
    expect(new Set(pathsIn((await project.about("/files/page", {})).body))).toEqual(new Set(names));
    for (const name of names) {
      const { body } = await onFile(project, name)("preview", {});
      expect(shownIn.parse(body).preview.text).toBe(`in ${name}\n`);
    }
  });
});

describe("a file, looked at", () => {
  it("P1: is text without its credentials, the points of a picture, or the words of a document", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const project = await startProject({
      "a.md": `first\ntoken: ${secret}\nlast\n`,
      "b.png": pngOf(2_000, 1_000),
      "c.pdf": pdfWith("Words of a page"),
      "d.docx": docxWith("Words of a letter"),
      "e.svg": "<svg onload='alert(1)'/>\n",
      "f.pdf": "no page at all",
    });
    const look = async (path: string) => shownIn.parse((await onFile(project, path)("preview", {})).body).preview;
    const text = await look("a.md");
    expect(text).toMatchObject({ form: "text", redactions: 1, totalLines: 3, nextChar: null, startLine: 1 });
    expect(text.text).toMatch(/^first\n.*redacted.*\nlast\n$/);
    expect(JSON.stringify(text)).not.toContain(secret);
    expect(await look("b.png")).toMatchObject({
      form: "bitmap",
      width: 1_280,
      height: 640,
      base64: expect.stringMatching(/^\/9j\//),
    });
    expect(await look("c.pdf")).toMatchObject({ form: "document", text: expect.stringContaining("Words of a page") });
    expect(await look("d.docx")).toMatchObject({
      form: "document",
      text: expect.stringContaining("Words of a letter"),
    });
    expect(await look("e.svg")).toMatchObject({ form: "text", text: "<svg onload='alert(1)'/>\n" });
    expect(await look("f.pdf")).toMatchObject({ form: "none", reason: { code: "corrupt" } });
  });

  it("is what an agent's model is given, word for word, refusals among it", async () => {
    const project = await startProject({
      "a.md": "one\ntwo\n",
      "b.png": pngOf(8, 8),
      ".scoutsignore": "",
      "c.md": "c\n",
    });
    project.folder.write(".scoutsignore", "c.md\n");
    const { home, id } = project;
    const agent = new OpenedProjects({
      store: home.store,
      dataFolder: home.store.dataFolder,
      caller: "agent",
      now: Date.now,
    });
    for (const path of ["a.md", "b.png"]) {
      const { body } = await onFile(project, path)("model-view", {});
      const read = await agent.withinFile(id, "read_file", path, (opened) =>
        readProjectFile(opened, path, {
          extract: () => Promise.reject(new Error("too small to be extracted")),
          summaryOf: () => `about ${path}`,
          keepsWhole: false,
        }),
      );
      const nonce = /\b[0-9a-f]{16,}\b/g;
      const { text } = z.object({ text: z.string() }).parse(body);
      expect(text.replaceAll(nonce, "#")).toBe(read.text.replaceAll(nonce, "#"));
    }
    agent.close();
    // It was ignored after it had been read.
    expect((await onFile(project, "c.md")("model-view", {})).body).toEqual({ text: "Access denied" });
  });

  it("P1: is refused as the folder's rules say, shown when the person says yes to what they ask about, and noted", async () => {
    const project = await startProject({ "notes/mine.md": "mine\n", "plain.md": "plain\n" });
    const { home, folder } = project;
    folder.write(".scouts.json", JSON.stringify({ read: { ask: ["notes/**"], deny: ["plain.md"] } }));
    const preview = (path: string, body = {}) => onFile(project, path)("preview", body);
    expect(await preview("plain.md", { approves: true })).toMatchObject({
      status: 403,
      body: { error: { code: "file_denied" } },
    });
    expect(await preview("notes/mine.md")).toMatchObject({
      status: 403,
      body: {
        error: { code: "file_approval_refused", message: expect.stringContaining("a rule of the project asks") },
      },
    });
    expect(await preview("notes/mine.md", { approves: true })).toMatchObject({ body: { preview: { text: "mine\n" } } });
    // One yes is for one request.
    expect((await preview("notes/mine.md")).status).toBe(403);
    const database = openProjectDatabase(home.store.dataFolder, folder.root);
    const trail = new AuditTrail(database.store, Date.now);
    expect(trail.newest(10).map(({ decision, outcome }) => `${decision} ${outcome}`)).toEqual([
      ...["deny denied", "refused approval_refused", "approved ok", "refused approval_refused"],
    ]);
    expect(trail.verify()).toMatchObject({ ok: true });
    database.close();
  });

  it("that leads out of its folder, is gone, is another kind of thing, or was never there, says so", async () => {
    const project = await startProject({ "a.md": "a\n", "b.md": "b\n", "c.md": "c\n" });
    const { root } = project.folder;
    const outside = join(temporaryFolder(), "outside.md");
    writeFileSync(outside, "not yours\n");
    for (const name of ["a.md", "b.md", "c.md"]) rmSync(join(root, name));
    symlinkSync(outside, join(root, "a.md"));
    writeFileSync(join(root, "c.md"), Buffer.from([0, 1, 2, 0, 255]));
    const codeOf = async (path: string) => (await onFile(project, path)("preview", {})).body;
    expect(await codeOf("a.md")).toMatchObject({ error: { code: "file_outside_root" } });
    expect(await codeOf("b.md")).toMatchObject({ error: { code: "file_not_found" } });
    expect(await codeOf("c.md")).toMatchObject({ error: { code: "file_binary_file" } });
    expect(await project.about("/files/999999")).toMatchObject({
      status: 404,
      body: { error: { code: "file_not_found" } },
    });
    expect((await project.about("/files/none")).status).toBe(400);
    rmSync(root, { recursive: true });
    expect(JSON.stringify(await codeOf("b.md"))).toMatch(/file_not_found|folder_not_found/);
  });

  it.skipIf(quick)(
    "of 200 MB comes in pages, from its beginning and from its end, and a device's memory does not hold it",
    async () => {
      const project = await startProject({ "big.log": "x\n" });
      const file = join(project.folder.root, "big.log");
      const line = `${"0123456789".repeat(9)}abcdefgh\n`;
      const block = line.repeat(10_000);
      writeFileSync(file, "");
      for (let n = 0; n < 200; n += 1) writeFileSync(file, block, { flag: "a" });
      truncateSync(file, block.length * 200);
      await project.folder.scan();
      const before = process.memoryUsage().arrayBuffers;
      const page = async (startChar: number) =>
        shownIn.parse((await onFile(project, "big.log")("preview", { startChar })).body).preview;
      const first = await page(0);
      expect(first).toMatchObject({ totalLines: 2_000_000, totalChars: block.length * 200, startLine: 1 });
      expect(first.text.length).toBe(50_000);
      const last = await page(block.length * 200 - 99);
      expect(last).toMatchObject({ text: line, nextChar: null, startLine: 2_000_000 });
      // Other tests of this process hold some as well.
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
    },
    60_000,
  );
});

describe("the history of a file", () => {
  it("P2: lists versions, compares them, and brings one back, which is a version as well; other tabs hear of it", async () => {
    const project = await startProject({ "a.md": "one\n" });
    const { folder } = project;
    await changedByAgent(project, "a.md", "two\n");
    const ask = onFile(project, "a.md");
    const versions = async () => versionsIn.parse((await ask("versions", {})).body).versions;
    const [newest, oldest] = await versions();
    expect([newest, oldest]).toMatchObject([
      { caller: "agent", tool: "write_file", isKept: true, isDeletion: false },
      { tool: "observed", sizeBytes: 4 },
    ]);
    const between = diffIn.parse((await ask("diff", { from: oldest?.id, to: newest?.id })).body);
    expect(between.diff).toMatch(/-one\n\+two\n/);
    const { currentHash } = diffIn.parse((await ask("diff", { from: oldest?.id })).body);
    const restore = { version: oldest?.id, currentHash };
    expect(await ask("restore", restore)).toMatchObject({
      status: 200,
      body: { versionId: expect.stringMatching(/^ver_/) },
    });
    expect(readFileSync(join(folder.root, "a.md"), "utf8")).toBe("one\n");
    expect(await versions()).toMatchObject([{ caller: "person", tool: "rollback" }, {}, {}]);
    // The same once more: somebody has seen another file than there is now.
    expect(await ask("restore", restore)).toMatchObject({ status: 409, body: { error: { code: "file_conflict" } } });
  });

  it("P2: brings nothing back over what somebody else has written since, and says so", async () => {
    const project = await startProject({ "a.md": "one\n" });
    await changedByAgent(project, "a.md", "two\n");
    const ask = onFile(project, "a.md");
    const [, oldest] = versionsIn.parse((await ask("versions", {})).body).versions;
    const { currentHash } = diffIn.parse((await ask("diff", { from: oldest?.id })).body);
    project.folder.write("a.md", "by somebody else\n");
    const file = join(project.folder.root, "a.md");
    expect(await ask("restore", { version: oldest?.id, currentHash })).toMatchObject({
      status: 409,
      body: { error: { code: "file_conflict" } },
    });
    expect(readFileSync(file, "utf8")).toBe("by somebody else\n");
    rmSync(file);
    const gone = diffIn.parse((await ask("diff", { from: oldest?.id })).body);
    expect(gone.currentHash).toBeNull();
    project.folder.write("a.md", "there again\n");
    const late = await ask("restore", { version: oldest?.id, currentHash: null });
    expect(late).toMatchObject({ status: 409, body: { error: { code: "file_conflict" } } });
    rmSync(file);
    expect((await ask("restore", { version: oldest?.id, currentHash: null })).status).toBe(200);
    expect(readFileSync(file, "utf8")).toBe("one\n");
  });

  it("P1: shows no credential of an old version, and restores what is denied to nobody", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const project = await startProject({ "a.md": "one\n" });
    project.folder.write("a.md", `token: ${secret}\n`);
    await changedByAgent(project, "a.md", "two\n");
    const ask = onFile(project, "a.md");
    const [, oldest] = versionsIn.parse((await ask("versions", {})).body).versions;
    const { diff, currentHash } = diffIn.parse((await ask("diff", { from: oldest?.id })).body);
    expect(diff).toMatch(/redacted/);
    expect(diff).not.toContain(secret);
    project.folder.write(".scouts.json", JSON.stringify({ write: { deny: ["a.md"] } }));
    expect(await ask("restore", { version: oldest?.id, currentHash, approves: true })).toMatchObject({
      status: 403,
      body: { error: { code: "file_denied" } },
    });
    project.folder.write(".scouts.json", JSON.stringify({ write: { ask: ["a.md"] } }));
    const restore = { version: oldest?.id, currentHash };
    expect(await ask("restore", restore)).toMatchObject({
      status: 403,
      body: { error: { code: "file_approval_refused" } },
    });
    expect((await ask("restore", { ...restore, approves: true })).status).toBe(200);
    expect((await ask("diff", { from: "none" })).status).toBe(400);
    const unknown = String(oldest?.id).replace(/.{4}$/, "0000");
    expect((await ask("diff", { from: unknown })).body).toMatchObject({ error: { code: "file_version_unknown" } });
  });
});
