import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { isArtifactError } from "../../device/artifacts/errors.ts";
import { ArtifactStore } from "../../device/artifacts/store/artifact-store.ts";
import { artifactBase, isArtifactId, safeName } from "../../device/artifacts/store/naming.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { backends } from "../files/backends.ts";
import { rounds } from "../rounds.ts";
import { originOf, startMs, temporaryFolder } from "./setting.ts";

const text = (content: string) => ({ chunks: [Buffer.from(content)], given: "text" as const });

async function codeOf(action: Promise<unknown>): Promise<string> {
  try {
    await action;
    return "none";
  } catch (error) {
    return isArtifactError(error) ? error.code : String(error);
  }
}

describe.each(backends)("artifacts over $name", (backend) => {
  let files: ProjectFiles;
  let store: ArtifactStore;

  beforeEach(async () => {
    const opened = await backend.open();
    files = opened.files;
    store = new ArtifactStore({ ...systemTimeAndIds, files });
    return opened.dispose;
  });
  afterAll(() => backend.close());

  test("what is put is got, with its description, and nothing else lies about", async () => {
    const put = await store.put(text('{"a": 1}'), originOf("call_1"));
    expect(put).toMatchObject({
      id: "thr_1/task_1/call_1.json",
      path: "runtime/runs/thr_1/task_1/call_1.json",
      sizeBytes: 8,
      contentType: "application/json",
      preview: '{"a":1}',
      origin: { tool: "list_tasks" },
    });
    expect(await store.get(put.id)).toEqual(put);
    expect((await store.read(put)).toString()).toBe('{"a": 1}');
    const paths: string[] = [];
    for await (const { path } of files.walk({ ignoreRules: false })) paths.push(path);
    expect(paths).toEqual(["runtime/runs/thr_1/task_1/call_1.json", "runtime/runs/thr_1/task_1/call_1.json.meta.json"]);
  });

  test("P2: the same content of the same call is stored once, other content gets a name of its own", async () => {
    const first = await store.put(text("one"), originOf("call_1"));
    expect(await store.put(text("one"), originOf("call_1"))).toEqual(first);
    const second = await store.put(text("two"), originOf("call_1"));
    expect([first.id, second.id]).toEqual(["thr_1/task_1/call_1.txt", "thr_1/task_1/call_1~2.txt"]);
    expect((await store.read(first)).toString()).toBe("one");
  });

  test("an artifact that was altered is corrupt, one that is gone not found", async () => {
    const put = await store.put(text("one two three"), originOf("call_1"));
    await store.read(put);
    await files.write(put.path, Buffer.from("one two thrEe"));
    expect(await codeOf(store.read(put))).toBe("corrupt");
    await files.write(put.path, Buffer.from("longer than it was"));
    expect(await codeOf(store.read(put))).toBe("corrupt");
    await files.delete(put.path);
    expect(await codeOf(store.read(put))).toBe("not_found");
    expect(await codeOf(store.get("thr_1/task_1/other.txt"))).toBe("not_found");
  });

  test("putting the content again repairs what was altered, under the same id", async () => {
    const put = await store.put(text("one two three"), originOf("call_1"));
    await files.write(put.path, Buffer.from("???"));
    const again = await store.put(text("one two three"), originOf("call_1"));
    expect(again.id).toBe(put.id);
    expect((await store.read(again)).toString()).toBe("one two three");
  });

  test("content whose description was never written is described by the next call", async () => {
    const put = await store.put(text("one"), originOf("call_1"));
    await files.delete(`${put.path}.meta.json`);
    expect((await store.put(text("one"), originOf("call_1"))).id).toBe(put.id);
    expect(await store.get(put.id)).toMatchObject({ id: put.id });
  });

  test("a description that was altered is corrupt, and a listing goes on without it", async () => {
    const [one, two] = [await store.put(text("one"), originOf("a")), await store.put(text("two"), originOf("b"))];
    await files.write(`${one.path}.meta.json`, Buffer.from("{"));
    expect(await codeOf(store.get(one.id))).toBe("corrupt");
    const broken: string[] = [];
    const listed: string[] = [];
    for await (const { id } of store.list({ onBroken: (path) => broken.push(path) })) listed.push(id);
    expect([listed, broken]).toEqual([[two.id], [`${one.path}.meta.json`]]);
  });

  test("many calls at once with one id lose nothing", async () => {
    const contents = Array.from({ length: 6 }, (_, at) => `content ${at % 3}`);
    const put = await Promise.all(contents.map((content) => store.put(text(content), originOf("call_1"))));
    for (const [at, metadata] of put.entries()) {
      expect((await store.read(metadata)).toString()).toBe(contents[at]);
    }
  });

  test("a source that fails leaves nothing behind", async () => {
    async function* failing() {
      yield Buffer.from("begun");
      throw new RangeError("the source broke");
    }
    await expect(store.put({ chunks: failing(), given: "bytes" }, originOf("call_1"))).rejects.toThrow(RangeError);
    const paths: string[] = [];
    for await (const { path } of files.walk({ ignoreRules: false })) paths.push(path);
    expect(paths).toEqual([]);
  });
});

describe("names of artifacts", () => {
  test("whatever the ids are, the path stays in its place and different ids have different paths", () => {
    const id = fc.oneof(
      fc.string({ unit: "binary", minLength: 1 }),
      fc.constantFrom("..", ".", "a/b", "a_b", "CON", "con", "x".repeat(500), "a\0b", " "),
    );
    fc.assert(
      fc.property(id, id, id, id, (thread, task, call, other) => {
        const origin = originOf(call, { threadId: thread, taskId: task });
        const base = artifactBase("thread", origin, startMs);
        expect(base).toMatch(/^[\w~-]+\/[\w~-]+\/[\w~-]+$/);
        expect(isArtifactId(`${base}.json`)).toBe(true);
        if (call !== other) expect(safeName(call)).not.toBe(safeName(other));
      }),
      { numRuns: rounds(2_000) },
    );
  });

  test.each([
    ["thread", "thr_1/task_1/c"],
    ["task", "task_1/c"],
    ["flat", "c"],
    [{ template: "by-day/{date}/{tool}-{toolCallId}" }, "by-day/2026-01-15/list_tasks-c"],
  ] as const)("layout %j", (layout, base) => {
    expect(artifactBase(layout, originOf("c"), startMs)).toBe(base);
  });

  test.each(["{nothing}", "../{toolCallId}", "a//{toolCallId}", "/{toolCallId}", "{toolCallId}.{tool}"])(
    "the template %s is refused",
    (template) => {
      expect(() => artifactBase({ template }, originOf("c"), startMs)).toThrow("The template cannot be read.");
    },
  );

  test.each([
    "../../etc/passwd.txt",
    "/etc/passwd.txt",
    "a/../b.txt",
    "a\0.txt",
    ".meta.json",
    "a.txt.meta.json",
    "",
    "a",
  ])("an id a model makes up reaches nothing: %j", async (id) => {
    const store = new ArtifactStore({
      ...systemTimeAndIds,
      files: new InMemoryProjectFiles({ "etc/passwd.txt": "secret" }, systemTimeAndIds),
    });
    expect(await codeOf(store.get(id))).toBe("not_found");
  });
});

test("artifacts on disk are readable by their owner only", async () => {
  const folder = temporaryFolder();
  const store = new ArtifactStore({ ...systemTimeAndIds, files: new FsProjectFiles(folder) });
  const { path } = await store.put(text("private"), originOf("call_1"));
  for (const file of [path, `${path}.meta.json`]) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "runtime/incoming"))).toEqual([]);
});
