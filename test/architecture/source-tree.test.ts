import { build } from "esbuild";
import { expect, test } from "vitest";
import { code, importsOf, root } from "./source-tree.ts";

test("the reader of imports sees every import that a bundler's parser sees", async () => {
  const { metafile } = await build({
    // One bundle of all: one for each file would hold most of the tree nine hundred times.
    stdin: { contents: code.map((file) => `import "./${file.path}";`).join("\n"), resolveDir: root },
    absWorkingDir: root,
    write: false,
    bundle: true,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    // A stylesheet is a file that is imported, and no code.
    loader: { ".css": "empty" },
    logLevel: "silent",
  });
  expect(code.filter((file) => metafile.inputs[file.path] === undefined)).toEqual([]);
  const missed = code.flatMap((file) => {
    const read = new Set(file.imports.map(({ target }) => target));
    const parsed = metafile.inputs[file.path]?.imports ?? [];
    // What JSX becomes calls it, and nobody writes it.
    const written = parsed.filter((found) => found.path !== "react/jsx-runtime");
    return written.filter((found) => !read.has(found.path)).map((found) => `${file.path}: ${found.path}`);
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
