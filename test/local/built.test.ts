import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { homeOptions } from "../../cli/build/options.ts";
import { codeOf, isBuilt, repositoryRoot, type SourceList } from "../../infra/local/built/built-code.ts";
import type { FunctionNode } from "../../infra/local/graph.ts";
import { FunctionPool } from "../../infra/local/host/function-pool.ts";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "built-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const startedAtMs = 1_700_000_000_000;
const text = "export const a = 1;\n";

/** A checkout of one source, which was written a minute before the build. */
async function builtCheckout(): Promise<{ checkout: string; source: string }> {
  const checkout = await emptyFolder();
  const source = path.join(checkout, "a.ts");
  const list: SourceList = { startedAtMs, files: [["a.ts", text.length]] };
  await mkdir(path.join(checkout, "dist"));
  await writeFile(path.join(checkout, "dist", "sources.json"), JSON.stringify(list));
  await write(source, text, startedAtMs - 60_000);
  return { checkout, source };
}

async function write(file: string, content: string, atMs: number): Promise<void> {
  await writeFile(file, content);
  await utimes(file, atMs / 1000, atMs / 1000);
}

test("what was built is run as long as it is what the sources say", async () => {
  const { checkout } = await builtCheckout();
  expect(isBuilt(checkout)).toBe(true);
});

test.each<[string, (source: string, checkout: string) => Promise<void>]>([
  ["changed since", (source) => write(source, text, startedAtMs + 1000)],
  [
    "put back as it once was, with its old date",
    (source) => write(source, "export const a = 10;\n", startedAtMs - 90_000),
  ],
  ["gone", (source) => rm(source)],
  ["never built", (_, checkout) => rm(path.join(checkout, "dist"), { recursive: true })],
  ["built by half", (_, checkout) => writeFile(path.join(checkout, "dist", "sources.json"), '{"startedAtMs":17')],
])("a source that is %s is run itself", async (_, change) => {
  const { checkout, source } = await builtCheckout();
  await change(source, checkout);
  expect(isBuilt(checkout)).toBe(false);
});

test("what was built is ASCII, which V8 keeps at a byte a character, and matches what its source matches", async () => {
  const folder = await emptyFolder();
  const source = path.join(folder, "words.ts");
  await writeFile(
    source,
    "export const found = [/[äöü]+/, /^[😀-😂]$/u, /😀|x/].map((one) => one.test('ß😁ü'.slice(1)));\nexport const said = `é’`;\n",
  );
  const out = path.join(folder, "out");
  await build({ ...homeOptions, outdir: out, entryPoints: [{ in: source, out: "words" }] });
  const built = await readFile(path.join(out, "words.cjs"));
  expect(built.every((byte) => byte < 0x80)).toBe(true);
  expect(createRequire(import.meta.url)(path.join(out, "words.cjs"))).toMatchObject({
    found: [true, false, false],
    said: "é’",
  });
});

test("the trace of an error in what was built names the source, its line, and nothing that was said", async () => {
  const folder = await emptyFolder();
  const source = path.join(folder, "handler.ts");
  await writeFile(
    source,
    [
      "interface Event { readonly said: string }",
      "",
      "export async function handler(event: Event): Promise<never> {",
      "  throw new RangeError(event.said);",
      "}",
    ].join("\n"),
  );
  const out = path.join(folder, "out");
  await build({
    ...homeOptions,
    outdir: out,
    entryPoints: [
      { in: source, out: "handler" },
      { in: codeOf(false, "infra/local/host/thread"), out: "thread" },
    ],
  });
  const node: FunctionNode = {
    name: "Thrower",
    functionName: "Thrower",
    arn: "arn:aws:lambda:us-east-1:000000000000:function:Thrower",
    handler: "handler.handler",
    timeoutSeconds: 60,
    memoryMb: 128,
    environment: {},
    links: [],
    permissions: [],
  };
  const pool = new FunctionPool(node, {
    code: {
      thread: path.join(out, "thread.cjs"),
      builtFolder: out,
      handler: () => ({ file: path.join(out, "handler.cjs"), exportName: "handler" }),
    },
    logFolder: path.join(folder, "logs"),
    environment: {},
    size: 1,
    idleMs: 60_000,
    patienceMs: 1,
    crashPoint: () => undefined,
    onLog: undefined,
  });
  const outcome = await pool.invoke({ said: `canary\n    at canary (${repositoryRoot}x.ts:1:1)` });
  await pool.close();
  expect(outcome).toMatchObject({ status: "error", error: { errorType: "RangeError" } });
  const { at = [] } = "error" in outcome ? outcome.error : {};
  expect(at[0]).toBe(`handler (${source}:4:9)`);
  expect(at.join("\n")).not.toContain("canary");
});
