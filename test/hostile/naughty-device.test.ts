import { describe, expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { printable, printableJson, printableLines } from "../../cli/output/printable.ts";
import { runCommand } from "../../cli/program.ts";
import { isArtifactError } from "../../device/artifacts/errors.ts";
import { isArtifactId, safeName } from "../../device/artifacts/store/naming.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { isProjectFilesError } from "../../device/files/errors.ts";
import { renderManifest } from "../../device/folders/manifest/render.ts";
import { tokenCounter } from "../../device/folders/manifest/token-counter.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { projectId } from "../../events/ids.ts";
import { artifactsSetting, metadataOf, originOf } from "../artifacts/setting.ts";
import { manifestFile, manifestOf, nowMs } from "../device/manifest/setting.ts";
import { Screen } from "../device/screen.ts";
import { temporaryFolder, temporaryStore } from "../device/setting.ts";
import { quick, whole } from "../rounds.ts";
import { awkward, naughtyStrings, Tally } from "./vectors.ts";

const tally = new Tally("naughty strings on the device");

/** Controls but the line feed, what reorders or hides text, halves of characters. */
const unsafe = /[^\n\P{Cc}]|\p{Cs}|[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/u;

async function scouts(words: string[], cwd: string) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: cwd, ...systemTimeAndIds };
  const code = await runCommand(words, context, "1.2.3");
  return { code, out: stdout.written, err: stderr.written };
}

test("the device's store gives projects' names and tasks' titles back as they were, or refuses them by a code", () => {
  const store = temporaryStore();
  const home = store.projects.add("Home");
  // SQLite keeps UTF-8: of half a character the replacement character is left, as everywhere.
  for (const text of new Set(naughtyStrings)) {
    let made: ReturnType<typeof store.projects.add>;
    try {
      made = store.projects.add(text);
    } catch (error) {
      expect(error, JSON.stringify(text)).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/) });
      tally.add("store refused");
      continue;
    }
    expect(store.projects.get(made.id).name, JSON.stringify(text)).toBe(text.toWellFormed());
    expect(store.projects.findByName(text)?.id).toBe(made.id);
    if (text.trim() === "" || text.length > 500) {
      expect(() => addEntity(store, "task", { title: text }, 1)).toThrow(
        expect.objectContaining({ code: "value_invalid" }),
      );
      continue;
    }
    const task = addEntity(store, "task", { title: text, note: text, projectId: home.id }, 1);
    expect(store.work.task.find(task.id)).toEqual(task);
    expect(task).toMatchObject({ title: text.trim().toWellFormed(), note: text.toWellFormed() });
    tally.add("store taken");
  }
});

test("the command line prints no control or hidden character, whatever a name, title, path or word holds", async () => {
  const cwd = temporaryFolder();
  // A process cannot be given a zero byte as an argument, and halves of characters arrive replaced.
  const words = [...new Set(naughtyStrings.filter((text) => !text.includes("\0")).map((text) => text.toWellFormed()))];
  expect((await scouts(["project", "add", "--data", cwd, "--", "Home"], cwd)).code).toBe(0);
  for (const [at, text] of words.entries()) {
    const lines = [
      ["project", "add", "--data", cwd, "--", text],
      ["project", "add", "--json", "--data", cwd, "--", text],
      ["task", "add", "--project", "Home", "--data", cwd, "--", text],
      ["task", "add", `--project=${text}`, "--data", cwd, "--", "x"],
      ["project", "link", "--data", cwd, "--", "Home", `${cwd}/missing/${text}`],
      ["project", "unlink", "--data", cwd, "--", text],
      ["proposals", "approve", "--data", cwd, "--", text],
      ["artifacts", "show", "--data", cwd, "--", text],
      ["files", "read", "--data", cwd, "--root", cwd, "--", text],
      [text],
      [`--${text}`],
      ["proposals", "list", "--status", text, "--data", cwd],
    ];
    for (const [which, line] of lines.entries()) {
      // Our own strings through every command, each published one through a sixth of them; of a change half of that, in a short run
      // through a third and through one.
      const [ofOwn, ofPublished] = quick ? [3, lines.length] : whole ? [1, 6] : [2, 12];
      const everyNth = at < awkward.length ? ofOwn : ofPublished;
      if ((at + which) % everyNth !== 0) continue;
      // A word that is a command or an option of ours would run it.
      if (line.length === 1 && /^(?:-{0,2}(?:up|connect|login|help|version|V|h|doctor)?)$/.test(text)) continue;
      const { code, out, err } = await scouts(line, cwd);
      expect(
        unsafe.exec(out + err)?.[0],
        `${line.slice(0, 2).join(" ")} ${JSON.stringify(text).slice(0, 60)}`,
      ).toBeUndefined();
      expect(err, line.join(" ")).not.toMatch(/\n\s+at /);
      expect(code === 0 || err !== "", line.join(" ")).toBe(true);
      tally.add(code === 0 ? "command done" : "command refused");
    }
  }
  for (const line of [["project", "list"], ["task", "list"], ["project", "list", "--json"], ["status"]]) {
    const { out, err } = await scouts([...line, "--data", cwd], cwd);
    expect(unsafe.exec(out + err)?.[0], line.join(" ")).toBeUndefined();
  }
}, 240_000);

test("what is printed of a text is one line that no terminal acts on, and JSON that means the same", () => {
  for (const text of naughtyStrings) {
    expect(unsafe.test(printable(text)) || printable(text).includes("\n"), JSON.stringify(text)).toBe(false);
    expect(unsafe.test(printableLines(text)), JSON.stringify(text)).toBe(false);
    expect(JSON.parse(printableJson({ text }))).toEqual({ text });
    expect(unsafe.test(printableJson({ text }))).toBe(false);
    tally.add("printed");
  }
});

test("manifests: one line a file, one block, nothing hidden", async () => {
  const countTokens = await tokenCounter();
  for (const text of naughtyStrings) {
    const path = text.replaceAll("/", "∕") || "x";
    const project = { id: projectId.parse("prj_01JD0000000000000000000003"), name: text };
    const input = manifestOf([manifestFile(path, { summary: text }), manifestFile("plain.md")], {
      project,
      folderName: text,
    });
    const { text: block, listed } = renderManifest(input, { countTokens, nowMs });
    expect(block.match(/<\/?linked_folder>/g), text).toEqual(["<linked_folder>", "</linked_folder>"]);
    expect(unsafe.exec(block)?.[0], JSON.stringify(text)).toBeUndefined();
    expect(block.split("\n"), JSON.stringify(text)).toHaveLength(4 + listed.length + 1);
    tally.add("manifest");
  }
});

describe("artifacts", () => {
  test("thread, task and call ids of any text make names that are told apart and lead nowhere else", async () => {
    const { artifacts, files } = artifactsSetting();
    const names = new Map<string, string>();
    for (const text of new Set(naughtyStrings)) {
      const name = safeName(text);
      expect(name, text).toMatch(/^[\w~-]+$/);
      expect(names.get(name), JSON.stringify(text)).toBeUndefined();
      names.set(name, text);
      const stored = metadataOf(
        await artifacts.keep(`content of ${name}`, originOf(text, { threadId: text, taskId: text, tool: text })),
      );
      expect(stored.path.startsWith("runtime/runs/"), stored.path).toBe(true);
      expect(isArtifactId(stored.id), stored.id).toBe(true);
      expect((await artifacts.read(stored.id)).toString()).toBe(`content of ${name}`);
      expect((await artifacts.find(stored.id)).metadata.origin.threadId).toBe(text);
      tally.add("artifact kept");
    }
    for await (const { path } of files.walk({ ignoreRules: false })) expect(path).toMatch(/^runtime\//);
  });

  test("any text as an artifact's id is not found", async () => {
    const { artifacts } = artifactsSetting();
    for (const text of naughtyStrings) {
      const failure = await artifacts.find(text).catch((error: unknown) => error);
      expect(isArtifactError(failure) && failure.code, JSON.stringify(text)).toBe("not_found");
      tally.add("artifact id refused");
    }
  });
});

test("file paths: written and read back unchanged, or refused by a code", async () => {
  for (const text of new Set(naughtyStrings)) {
    const files = new InMemoryProjectFiles({}, systemTimeAndIds);
    try {
      await files.write(text, Buffer.from("content"));
      expect(Buffer.from(await files.read(text)).toString()).toBe("content");
      tally.add("path taken");
    } catch (error) {
      if (!isProjectFilesError(error)) throw error;
      tally.add("path refused");
    }
  }
});
