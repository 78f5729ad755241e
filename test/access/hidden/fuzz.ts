import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { FileAccess } from "../../../device/access/file-access.ts";
import { accessRules } from "../../../device/access/policy/rules.ts";
import { FsProjectFiles } from "../../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../../device/files/backends/in-memory-project-files.ts";
import type { ProjectFiles } from "../../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import { memoryAccessStore } from "../../memory/access-store.ts";
import { visible } from "./hidden-kinds.ts";
import { canary, guessed, hashOf, other, otherCanary } from "./probes.ts";

const hidden = ["private/plan.txt", ".env", "caf\u00e9/plan.txt", "keys/server.pem"];
const rules = [accessRules.parse({ read: { deny: ["private/**", "caf\u00e9/**"] } })];
const links = { "open.txt": "private/plan.txt", open: "private", "env.txt": ".env", "around.txt": "open.txt" };
const names = [...hidden, "open.txt", "open/plan.txt", "env.txt", "around.txt", "../outside.txt"];
const places = [...names, "notes.md", "README.md", "zz.md", "new/zz.md", "/dev/null", "private/zz.md", "notes.md/x"];

/** Another way to write a path, honest or not. */
const respelled: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path,
  (path) => `./${path}`,
  (path) => `x/../${path}`,
  (path) => path.replace("/", "//"),
  (path) => path.replace("/", "/./"),
  (path) => path.replace("/", "\\"),
  (path) => `${path}/`,
  (path) => `${path} `,
  (path) => ` ${path}`,
  (path) => `${path}.`,
  (path) => `${path}::$DATA`,
  (path) => path.toUpperCase(),
  (path) => path.normalize("NFD"),
  (path) => path.replace("a", "\u200ba"),
  (path) => path.replace("p", "\u{ff50}"),
  (path) => `/${path}`,
  (path) => `a/${path}`,
  (path) => `"${path}"`,
  (path) => `"${[...Buffer.from(path)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`,
  (path) => `${path}\t2026-11-22 05:05:00`,
  (path) => `${path}/x`,
  (path) => `\`${path}\``,
];
const path = fc.tuple(fc.constantFrom(...places), fc.constantFrom(...respelled)).map(([each, how]) => how(each));
const anyName = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...respelled)).map(([each, how]) => how(each));
const guess = fc.constantFrom(
  `SECRET=${canary}`,
  "NAME=plan",
  "second",
  "",
  `${canary} 3`,
  "# A project",
  guessed.trimEnd(),
);
const lines = (mark: string, text: string) => text.split("\n").map((each) => mark + each);

const hunk = fc
  .tuple(guess, fc.constantFrom("x", ...lines("", guessed).slice(0, 3)))
  .map(([old, fresh]) => [...lines("-", old), `+${fresh}`]);
const v4aPart = fc.oneof(
  fc.tuple(path, hunk).map(([at, body]) => [`*** Update File: ${at}`, "@@", ...body]),
  fc.tuple(path, path).map(([from, to]) => [`*** Update File: ${from}`, `*** Move to: ${to}`]),
  fc
    .tuple(path, path, hunk)
    .map(([from, to, body]) => [`*** Update File: ${from}`, `*** Move to: ${to}`, "@@", ...body]),
  fc
    .tuple(path, path, path)
    .map(([from, by, to]) => [`*** Update File: ${from}`, `*** Move to: ${by}`, `*** Move to: ${to}`]),
  fc.tuple(path, path).map(([at, to]) => [`*** Add File: ${at}`, "+x", `*** Move to: ${to}`]),
  path.map((at) => [`*** Delete File: ${at}`]),
  path.map((at) => [`*** Add File: ${at}`, "+x"]),
  fc.tuple(path, guess).map(([at, anchor]) => [`*** Update File: ${at}`, `@@ ${anchor}`, "+x", "*** End of File"]),
);
const header = fc.oneof(
  fc.tuple(path, path).map(([from, to]) => [`rename from ${from}`, `rename to ${to}`]),
  fc.tuple(path, path).map(([from, to]) => [`copy from ${from}`, `copy to ${to}`]),
  fc.tuple(path, path).map(([from, to]) => [`--- ${from}`, `+++ ${to}`]),
  fc.tuple(path, path).map(([from, to]) => [`--- a/${from}`, `+++ b/${to}`]),
  fc
    .constantFrom("new file mode 100644", "deleted file mode 100644", "old mode 100644", "similarity index 100%")
    .map((each) => [each]),
  fc.constantFrom("new file mode 120000", "index 1111111..2222222 100644", "GIT binary patch").map((each) => [each]),
);
const gitPart = fc
  .tuple(path, path, fc.array(header, { maxLength: 4 }), fc.option(hunk, { nil: undefined }))
  .map(([from, to, headers, body]) => [
    `diff --git a/${from} b/${to}`,
    ...headers.flat(),
    ...(body === undefined ? [] : [`@@ -1,${body.length - 1} +1,1 @@`, ...body]),
  ]);
const block = fc
  .tuple(path, guess)
  .map(([at, old]) => [at, "<<<<<<< SEARCH", ...(old === "" ? [] : [old]), "=======", "x", ">>>>>>> REPLACE"]);

const several = (part: fc.Arbitrary<string[]>) =>
  fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.flat());
const patch = fc.oneof(
  several(v4aPart).map((body) => ["*** Begin Patch", ...body, "*** End Patch", ""].join("\n")),
  several(gitPart).map((body) => [...body, ""].join("\n")),
  several(block).map((body) => [...body, ""].join("\n")),
  several(gitPart).map((body) => `\`\`\`diff\n${body.join("\n")}\n\`\`\`\n`),
);
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const call = fc
  .record({
    patch,
    path: rarely(anyName),
    format: rarely(fc.constantFrom("unified", "v4a", "search_replace")),
    baseHash: rarely(fc.constantFrom(hashOf(guessed), hashOf(visible["notes.md"]))),
    onConflict: fc.constantFrom("report", "propose_merge"),
    dryRun: fc.boolean(),
  })
  .map((args) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)));

export interface Fuzzed {
  readonly calls: number;
  /** How often each code was answered. */
  readonly codes: Readonly<Record<string, number>>;
  /** Calls whose answer told something. */
  readonly leaks: readonly string[];
}

/**
 * Patches about hidden files in every format and spelling, each in projects that differ in the hidden files only: their text
 * is the one guessed, another, or they are not there. What is answered must be the same, and none of it theirs.
 */
export async function fuzzed(count: number, seed: number): Promise<Fuzzed> {
  const folder = mkdtempSync(join(tmpdir(), "scouts-fuzz-"));
  const codes: Record<string, number> = {};
  const leaks: string[] = [];
  try {
    let round = 0;
    for (const calls of chunks(fc.sample(call, { numRuns: count, seed }), 50)) {
      const isFolding = ++round % 2 === 0;
      const worlds = [guessed, other, null].map((content, index) =>
        world(isFolding ? folding(content) : onDisk(join(folder, `${round}-${index}`), content)),
      );
      for (const args of calls) {
        const answers = await Promise.all(worlds.map((each) => each.ask(args)));
        const [first] = answers;
        const told = first ?? "";
        const code = /"code":"(\w+)"/.exec(told)?.[1] ?? (told.includes('"success":true') ? "ok" : "other");
        codes[code] = (codes[code] ?? 0) + 1;
        const asked = JSON.stringify(args);
        const traces = [canary, otherCanary, hashOf(guessed), hashOf(other)].filter(
          (trace) => !asked.includes(trace) && answers.some((answer) => answer.includes(trace)),
        );
        if (traces.length > 0 || answers.some((answer) => answer !== first))
          leaks.push(`${asked}\n${answers.join("\n")}`);
      }
      for (const [index, each] of worlds.entries()) {
        if (!(await each.isUntouched([guessed, other, null][index] ?? null)))
          leaks.push(`round ${round}: a hidden file was changed`);
      }
    }
    return { calls: count, codes, leaks };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function world(files: ProjectFiles) {
  let [at, id] = [0, 0];
  const access = new FileAccess({
    files,
    rules,
    store: memoryAccessStore(),
    redactor: new Redactor(Buffer.alloc(32, 7)),
    now: () => ++at,
    newId: () => String(++id).padStart(26, "0"),
  });
  const started = access.start();
  return {
    async ask(args: unknown) {
      await started;
      const session = access.openSession({ caller: "fuzz" });
      await access.call(session, "read_file", { path: "notes.md" });
      return JSON.stringify(await access.call(session, "apply_patch", args));
    },
    async isUntouched(content: string | null) {
      for (const name of hidden) {
        const left = (await files.exists(name)) ? Buffer.from(await files.read(name)).toString() : null;
        if (left !== content) return false;
      }
      return true;
    },
  };
}

const tree = (content: string | null): Record<string, string> => ({
  ...visible,
  ...(content === null ? {} : Object.fromEntries(hidden.map((name) => [name, content]))),
});

const folding = (content: string | null) =>
  new InMemoryProjectFiles(tree(content), { ...systemTimeAndIds, folding: { foldsCase: true, foldsUnicode: true } });

function onDisk(root: string, content: string | null): ProjectFiles {
  for (const [name, text] of Object.entries(tree(content))) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(root, link));
  return new FsProjectFiles(root, { durable: false });
}

function* chunks<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { count: { type: "string", default: "5000" }, seed: { type: "string", default: "1" } },
  });
  const { calls, codes, leaks } = await fuzzed(Number(values.count), Number(values.seed));
  console.log(`${calls} patches, seed ${values.seed}: ${leaks.length} told something`, codes);
  for (const leak of leaks.slice(0, 5)) console.error(leak);
  if (leaks.length > 0) process.exitCode = 1;
}
