import path from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { code, importsOf, root } from "./source-tree.ts";

test("the reader of imports sees every import that a bundler's parser sees", async () => {
  const { metafile } = await build({
    entryPoints: code.map((file) => path.join(root, file.path)),
    absWorkingDir: root,
    outdir: "unwritten",
    write: false,
    bundle: true,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });
  const missed = code.flatMap((file) => {
    const read = new Set(file.imports.map(({ target }) => target));
    const parsed = metafile.inputs[file.path]?.imports ?? [];
    return parsed.filter((found) => !read.has(found.path)).map((found) => `${file.path}: ${found.path}`);
  });
  expect(missed).toEqual([]);
});

test("the reader of imports tells static, type-only and dynamic imports apart and resolves them", () => {
  const text = [
    'import { a } from "../b/a.ts";',
    'import type { T } from "./t.ts";',
    "import {",
    "  one,",
    '} from "zod";',
    'import "node:fs";',
    'export { c } from "./c.ts";',
    'const d = await import("../../d.ts");',
  ].join("\n");
  expect(importsOf("x/y/z.ts", text)).toEqual([
    { target: "x/b/a.ts", kind: "static" },
    { target: "x/y/t.ts", kind: "type" },
    { target: "zod", kind: "static" },
    { target: "x/y/c.ts", kind: "static" },
    { target: "node:fs", kind: "static" },
    { target: "d.ts", kind: "dynamic" },
  ]);
});
