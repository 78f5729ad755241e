import { describe, expect, test } from "vitest";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { ProjectFilesError } from "../../device/files/errors.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { artifactsSetting, metadataOf, originOf, startMs } from "./setting.ts";

const hourMs = 3_600_000;
const forever = { maxAgeMs: Number.POSITIVE_INFINITY, maxTotalBytes: Number.POSITIVE_INFINITY };

async function pathsOf(files: InMemoryProjectFiles | ReturnType<typeof artifactsSetting>["files"]): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of files.walk({ ignoreRules: false })) paths.push(path);
  return paths;
}

async function withThree(files?: InMemoryProjectFiles) {
  const setting = artifactsSetting(files ? { files } : {});
  const ids: string[] = [];
  for (const name of ["a", "b", "c"]) {
    const origin = originOf(name, { threadId: `thr_${name}` });
    ids.push(metadataOf(await setting.artifacts.keep(name.repeat(100), origin)).id);
    setting.clock.nowMs += hourMs;
  }
  for (const name of ["a", "b", "c"]) await setting.artifacts.endThread(`thr_${name}`);
  return { ...setting, ids };
}

describe("retention", () => {
  test("by age: what is older goes, description and all", async () => {
    const { artifacts, ids, files } = await withThree();
    const report = await artifacts.prune({ ...forever, maxAgeMs: 1.5 * hourMs });
    expect(report).toMatchObject({
      removed: ids.slice(0, 2),
      freedBytes: 200,
      keptArtifacts: 1,
      keptBytes: 100,
      warnings: [],
    });
    expect((await pathsOf(files)).filter((path) => path.startsWith("runtime/runs"))).toHaveLength(2);
  });

  test("by size: the oldest go until the rest fits", async () => {
    const { artifacts, ids } = await withThree();
    expect((await artifacts.prune({ ...forever, maxTotalBytes: 250 })).removed).toEqual(ids.slice(0, 1));
  });

  test("what a live thread refers to stays; when the thread ends, or its lease does, it goes", async () => {
    const { artifacts, ids, clock } = await withThree();
    const [first = "", second = ""] = ids;
    await artifacts.pins.hold("thr_live", [first], 10 * hourMs);
    await artifacts.pins.hold("thr_other", [second], 10 * hourMs);
    const all = { ...forever, maxAgeMs: 0 };
    expect(await artifacts.prune(all)).toMatchObject({ removed: ids.slice(2), pinned: [first, second] });
    await artifacts.endThread("thr_live");
    expect(await artifacts.prune(all)).toMatchObject({ removed: [first], pinned: [second] });
    clock.nowMs += 11 * hourMs;
    expect(await artifacts.prune(all)).toMatchObject({ removed: [second], pinned: [] });
  });

  test("keeping a result holds it for its thread", async () => {
    const { artifacts } = artifactsSetting();
    const { id } = metadataOf(await artifacts.keep("x", originOf("a")));
    expect(await artifacts.prune({ ...forever, maxAgeMs: -1 })).toMatchObject({ removed: [], pinned: [id] });
  });

  test("two processes that hold for one thread lose nothing of each other", async () => {
    const files = new InMemoryProjectFiles({}, systemTimeAndIds);
    const [one, two] = [artifactsSetting({ files }).artifacts, artifactsSetting({ files }).artifacts];
    await Promise.all(["a", "b", "c", "d"].map((id, at) => (at % 2 ? one : two).pins.hold("thr", [`${id}.txt`])));
    expect(await one.pins.held()).toEqual(new Set(["a.txt", "b.txt", "c.txt", "d.txt"]));
  });

  test("a removal that fails is a warning, and the rest goes on", async () => {
    class Stubborn extends InMemoryProjectFiles {
      override async delete(path: string): Promise<void> {
        if (path.includes("thr_b") && path.startsWith("runtime/runs"))
          throw new ProjectFilesError("AccessDenied", { path });
        return super.delete(path);
      }
    }
    const { artifacts, ids } = await withThree(new Stubborn({}, systemTimeAndIds));
    const report = await artifacts.prune({ ...forever, maxAgeMs: 0 });
    expect(report.removed).toEqual([ids[0], ids[2]]);
    expect(report.warnings).toEqual([expect.stringContaining("thr_b")]);
  });

  test("what a process left when it died is removed after a day, not before", async () => {
    const { artifacts, files, clock } = artifactsSetting();
    await files.write("runtime/incoming/half", Buffer.from("half"));
    await files.write("runtime/runs/thr/task/orphan.txt", Buffer.from("no description"));
    await artifacts.prune(forever);
    expect(await pathsOf(files)).toHaveLength(2);
    clock.nowMs += 25 * hourMs;
    await artifacts.prune(forever);
    expect(await pathsOf(files)).toEqual([]);
  });

  test("a dry run changes nothing", async () => {
    const { artifacts, ids, files } = await withThree();
    const before = await pathsOf(files);
    expect((await artifacts.prune({ ...forever, maxAgeMs: 0 }, true)).removed).toEqual(ids);
    expect(await pathsOf(files)).toEqual(before);
  });
});

describe("what artifacts were used for", () => {
  test("is added up over processes: tokens before and after, checks, access, clean-up", async () => {
    const files = new InMemoryProjectFiles({}, { now: () => startMs });
    for (let run = 0; run < 2; run++) {
      const { artifacts } = artifactsSetting({ files });
      const { id } = metadataOf(await artifacts.keepOrInline("word ".repeat(20_000), originOf(`call_${run}`)));
      await artifacts.keepOrInline("short", originOf("x"));
      await artifacts.read(id);
      await artifacts.read(id);
      await artifacts.flush();
    }
    const totals = await artifactsSetting({ files }).artifacts.usage.totals();
    expect(totals).toMatchObject({ kept: 2, direct: 2, keptBytes: 200_000, cacheMisses: 2, cacheHits: 2 });
    expect(totals.contextTokensBefore).toBeGreaterThan(39_000);
    expect(totals.contextTokensAfter).toBeLessThan(1_000);
  });

  test("that cannot be written now is written with the next", async () => {
    class Broken extends InMemoryProjectFiles {
      isBroken = true;
      override async write(...args: Parameters<InMemoryProjectFiles["write"]>): Promise<void> {
        if (this.isBroken) throw new ProjectFilesError("StorageFailed");
        return super.write(...args);
      }
    }
    const files = new Broken({}, systemTimeAndIds);
    const { artifacts } = artifactsSetting({ files });
    await artifacts.keepOrInline("x", originOf("a"));
    expect(await artifacts.flush()).toBe(false);
    files.isBroken = false;
    expect(await artifacts.flush()).toBe(true);
    expect(await artifactsSetting({ files }).artifacts.usage.totals()).toMatchObject({ direct: 1 });
  });
});
