import { expect, test } from "vitest";
import { S3ProjectFiles } from "../../device/files/backends/s3/s3-project-files.ts";
import { bytes, collect, expectCode, text } from "../files/expect-code.ts";
import { MemoryObjectStorage } from "../files/memory-object-storage.ts";

async function filesOf(keys: readonly string[], prefix = "docs") {
  const storage = new MemoryObjectStorage();
  for (const key of keys) await storage.put(key, bytes(key), { mode: 0o644 });
  return new S3ProjectFiles(storage, { bucket: "b", prefix });
}

const walked = async (files: S3ProjectFiles) => {
  const walk = files.walk({ withMetadata: true });
  const paths = (await collect(walk)).map(({ path }) => path);
  return { paths, unaddressable: walk.omitted.unaddressable };
};

test("keys that no path can have are counted, lead nowhere, and end no walk", async () => {
  const files = await filesOf([
    "docs/a.md",
    "docs//hidden.md",
    "docs/../climb.md",
    "docs/./dot.md",
    "docs/sub/..",
    "docs/sub/../../x.md",
    "docs/sub//y.md",
    "docs/sub/b.md",
    `docs/${"n".repeat(300)}.md`,
    "docs/..\\..\\c.md",
  ]);
  expect(await walked(files)).toEqual({ paths: ["a.md", "sub/b.md"], unaddressable: 8 });
  await expectCode(files.read("sub/../../x.md"), "OutsideRoot");
  await expectCode(files.read(`${"n/".repeat(600)}x`), "InvalidPath");
  expect((await files.listDir("sub")).map(({ path }) => path)).toEqual(["..", "..", "b.md"]);
});

test("names that are unusual and allowed are files like any other", async () => {
  const names = [
    "[...slug].tsx",
    'it\'s "quoted".md',
    "a\\b.md",
    "tab\there",
    "é\u0301\u00a0🌱.md",
    "%2e%2e",
    "a+b c.md",
  ];
  const files = await filesOf(names.map((name) => `docs/${name}`));
  expect((await walked(files)).paths.toSorted()).toEqual(names.toSorted());
  for (const name of names) expect(text(await files.read(name))).toBe(`docs/${name}`);
});

test("empty objects that stand for a folder are no files; one called as a directory is, and hides nothing in it", async () => {
  const files = await filesOf([
    "docs/",
    "docs/sub/",
    "docs/sub/x.md",
    "docs/same",
    "docs/same/inner.md",
    "docsother/y.md",
  ]);
  expect(await walked(files)).toEqual({ paths: ["same", "same/inner.md", "sub/x.md"], unaddressable: 0 });
  expect(text(await files.read("same"))).toBe("docs/same");
  expect(text(await files.read("same/inner.md"))).toBe("docs/same/inner.md");
});

test("a copy on a disk has the one that fits, and says which it has not", async () => {
  const files = await filesOf(["docs/same", "docs/same/inner.md", "docs/x.md"]);
  const view = await files.materialize();
  expect(view.leftOut).toEqual(["same/inner.md"]);
  await view.close();
  expect((await walked(files)).paths).toEqual(["same", "same/inner.md", "x.md"]);
});

test("a prefix under which nothing lies is not there; an empty bucket is", async () => {
  await expectCode((await filesOf(["other/x.md"])).metadata(""), "NotFound");
  expect(await (await filesOf([], "")).metadata("")).toMatchObject({ kind: "directory" });
});

test("a project that is linked for reading only is not written to", async () => {
  const storage = new MemoryObjectStorage();
  await storage.put("docs/a.md", bytes("as it was"), { mode: 0o644 });
  const files = new S3ProjectFiles(storage, { bucket: "b", prefix: "docs", isReadOnly: true });
  await expectCode(files.write("a.md", bytes("other")), "ReadOnly");
  await expectCode(files.write("new.md", bytes("new")), "ReadOnly");
  await expectCode(files.delete("a.md"), "ReadOnly");
  await expectCode(files.rename("a.md", "b.md"), "ReadOnly");
  expect(text(await files.read("a.md"))).toBe("as it was");
  expect([...storage.objects.keys()]).toEqual(["docs/a.md"]);
});
