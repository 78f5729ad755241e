import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { patchResult } from "../../../events/agent-tools/patch-result.ts";
import { seededRandom } from "../../../infra/standins/seeded-random.ts";

/** A server that is spoken to: in this process, or a process that can be killed. */
export interface Serving {
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Ends it in the middle of whatever it does; undefined where that cannot be done. */
  readonly kill?: (() => Promise<void>) | undefined;
  end(): Promise<void>;
}

export interface Operations {
  /** What is not as it should be; empty when all is well. */
  readonly problems: readonly string[];
  /** Versions the client was told of. */
  readonly toldVersions: readonly string[];
  /** Paths the client was told to have changed. */
  readonly toldPaths: ReadonlySet<string>;
  readonly counts: Readonly<Record<string, number>>;
}

const paths = ["a.md", "b.md", "c.txt", "src/d.ts", "src/e.ts", "src/deep/f.ts", "g.csv", "h.md"];
const forbidden = ["secret/plan.md", ".env", ".scouts.json", ".git/config", "../outside.md", "/etc/passwd"];
/** A session may make 500 writes: it is begun anew before. */
const operationsOfSession = 350;
/** A call that is not answered within this is one too many; nothing here takes long. */
const answer = z.looseObject({
  content: z.array(z.looseObject({ text: z.string().default("") })),
  isError: z.boolean().default(false),
  structuredContent: z.unknown().optional(),
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export function prepareFolder(root: string): void {
  const files: Record<string, string> = {
    ".scouts.json": JSON.stringify({ read: { deny: ["secret/**"] } }),
    "secret/plan.md": "the plan\n",
    ".env": "NAME=value\n",
  };
  for (const path of paths.slice(0, 6)) files[path] = `${path}\nsecond line\nthird line\n`;
  for (const [path, content] of Object.entries(files)) writeTo(root, path, content);
}

function writeTo(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/**
 * A client that reads, writes, patches, moves, deletes and rolls back as a seed says, with stale hashes and forbidden paths,
 * while others change the same files and the server is killed. It keeps its own books: after every answer the disk must be
 * what the answers say.
 */
export async function runScriptedClient(
  root: string,
  {
    seed,
    operations,
    start,
  }: { readonly seed: number; readonly operations: number; readonly start: () => Promise<Serving> },
): Promise<Operations> {
  const random = seededRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const problems: string[] = [];
  const toldVersions: string[] = [];
  const toldPaths = new Set<string>();
  const counts: Record<string, number> = {};
  const versions = new Map<string, string[]>();
  const staleHashes = new Map<string, string>();
  const books = new Map<string, string | null>();
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const onDisk = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : null);
  const lookAtAll = () => {
    for (const path of paths) books.set(path, onDisk(path));
  };
  const untouched = forbidden.slice(0, 3).map((path) => [path, onDisk(path)] as const);
  lookAtAll();
  let serving = await start();
  let inSession = 0;

  const check = (about: string) => {
    for (const path of paths) {
      if (onDisk(path) !== books.get(path)) problems.push(`${about}: ${path} is not what the answers say`);
    }
    for (const [path, content] of untouched) {
      if (onDisk(path) !== content) problems.push(`${about}: ${path} was changed`);
    }
    lookAtAll();
  };

  const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
    const { content, isError, structuredContent } = answer.parse(await serving.call(name, args));
    return {
      text: content.map(({ text }) => text).join("\n"),
      isError,
      patch: patchResult.safeParse(structuredContent).data,
    };
  };

  /** A change: what was told is kept in the books, by the disk, and must be what the answer says it is. */
  const change = async (
    about: string,
    name: string,
    args: Readonly<Record<string, unknown>>,
    after: ReadonlyMap<string, string | null>,
  ) => {
    const { isError, patch, text } = await call(name, args);
    if (patch?.success !== true) {
      if (!isError) problems.push(`${about}: neither done nor refused: ${text.slice(0, 200)}`);
      count(`${name} ${patch?.code ?? "refused"}`);
      return check(`${about}, refused as ${patch?.code}`);
    }
    count(`${name} ok`);
    for (const { path, hash, versionId } of patch.files) {
      toldPaths.add(path);
      if (versionId !== null) {
        toldVersions.push(versionId);
        versions.set(path, [...(versions.get(path) ?? []), versionId].slice(-20));
      }
      const now = onDisk(path);
      if ((now === null ? null : sha256(Buffer.from(now))) !== hash)
        problems.push(`${about}: ${path} has another hash than told`);
      const before = books.get(path);
      if (before !== null && before !== undefined) staleHashes.set(path, sha256(Buffer.from(before)));
      const wanted = after.get(path);
      if (wanted !== undefined && wanted !== now) problems.push(`${about}: ${path} is not what was written`);
      books.set(path, now);
    }
    check(about);
  };

  const line = (at: number) => `line ${at} ${Math.floor(random() * 1e9)}`;
  const replacing = (path: string, from: string, to: string) => `*** Update File: ${path}\n@@\n-${from}\n+${to}\n`;
  const v4a = (...parts: string[]) => ({ patch: `*** Begin Patch\n${parts.join("")}*** End Patch\n` });
  const firstLineOf = (path: string) => (books.get(path) ?? "").split("\n")[0] ?? "";
  const withFirst = (path: string, first: string) =>
    [first, ...(books.get(path) ?? "").split("\n").slice(1)].join("\n");

  const acts: readonly (readonly [
    weight: number,
    name: string,
    act: (about: string, path: string) => Promise<void>,
  ])[] = [
    [
      10,
      "read",
      async (about, path) => {
        const { text, isError } = await call("read_file", { path, full: true });
        const known = books.get(path);
        if (isError !== (known === null))
          problems.push(`${about}: ${path} is ${isError ? "" : "not "}there: ${text.slice(0, 200)}`);
        else if (known && !text.includes(known)) problems.push(`${about}: ${path} reads otherwise`);
      },
    ],
    [
      4,
      "look",
      async () => {
        await call(pick(["list_files", "session_status"]), {});
        await call("grep_files", { pattern: "line" });
      },
    ],
    [
      3,
      "history",
      async (_, path) => {
        await call(pick(["file_history", "get_diff", "get_excerpt"]), { path });
      },
    ],
    [
      10,
      "write",
      async (about, path) => {
        const content = `${line(1)}\n${line(2)}\n${line(3)}\n`;
        if (books.get(path) !== null) await call("read_file", { path, full: true });
        await change(about, "write_file", { path, content }, new Map([[path, content]]));
      },
    ],
    [
      4,
      "append",
      async (about, path) => {
        const content = `${line(4)}\n`;
        const before = books.get(path);
        const whole = `${before ?? ""}${before && !before.endsWith("\n") ? "\n" : ""}${content}`;
        if (before !== null) await call("read_file", { path, full: true });
        await change(about, "write_file", { path, content, mode: "append" }, new Map([[path, whole]]));
      },
    ],
    [
      14,
      "patch",
      async (about, path) => {
        const next = line(5);
        const first = firstLineOf(path);
        const isUnique = (books.get(path) ?? "").split("\n").filter((each) => each === first).length === 1;
        await change(
          about,
          "apply_patch",
          v4a(replacing(path, first, next)),
          isUnique ? new Map([[path, withFirst(path, next)]]) : new Map(),
        );
      },
    ],
    [
      6,
      "patch of two",
      async (about, path) => {
        const other = pick(paths.filter((each) => each !== path));
        const parts = [path, other].map((each) => replacing(each, firstLineOf(each), line(6)));
        await change(about, "apply_patch", v4a(...parts), new Map());
      },
    ],
    [
      4,
      "move or delete",
      async (about, path) => {
        const to = pick(paths);
        const patch = random() < 0.5 ? `*** Delete File: ${path}\n` : `*** Update File: ${path}\n*** Move to: ${to}\n`;
        await change(about, "apply_patch", v4a(patch), new Map());
      },
    ],
    [
      5,
      "roll back",
      async (about, path) => {
        const versionId = pick(versions.get(path) ?? ["ver_01HZX5J9R3K7M2N4P6Q8S0T1V2"]);
        await change(about, "rollback", { path, versionId }, new Map());
      },
    ],
    [
      6,
      "stale",
      async (about, path) => {
        const baseHash = random() < 0.3 ? "0".repeat(64) : (staleHashes.get(path) ?? "f".repeat(64));
        if (random() < 0.5) await change(about, "write_file", { path, content: `${line(7)}\n`, baseHash }, new Map());
        else
          await change(
            about,
            "apply_patch",
            { ...v4a(replacing(path, firstLineOf(path), line(7))), baseHash },
            new Map(),
          );
      },
    ],
    [
      6,
      "forbidden",
      async (about) => {
        const path = pick(forbidden);
        const { isError } = await call("write_file", {
          path,
          content: "x\n",
          mode: pick(["truncate", "append", "create"]),
        });
        if (!isError) problems.push(`${about}: ${path} could be written`);
        check(about);
      },
    ],
    [
      8,
      "outside",
      async (_, path) => {
        const what = random();
        if (what < 0.2) rmSync(join(root, path), { force: true });
        else if (what < 0.6) writeTo(root, path, `${books.get(path) ?? ""}outside ${line(8)}\n`);
        else writeTo(root, path, `outside ${line(9)}\n${line(9)}\n`);
        lookAtAll();
        if (random() < 0.5) await call("record_changes", {});
      },
    ],
    [1, "tasks", async () => void (await call("set_tasks", { tasks: [{ title: line(1) }] }))],
  ];
  const nothing = [0, "", async () => {}] as const;
  const weighted = acts.flatMap((act) => Array.from({ length: act[0] }, () => act));

  const again = async () => {
    serving = await start();
    inSession = 0;
  };

  for (let operation = 0; operation < operations; operation++) {
    const [, name, act] = weighted[Math.floor(random() * weighted.length)] ?? nothing;
    const path = pick(paths);
    const about = `seed ${seed}, operation ${operation} (${name} ${path})`;
    if (serving.kill !== undefined && random() < 1 / 300) {
      count("killed");
      const [other, first, second] = [pick(paths), line(10), line(11)];
      const before = new Map(paths.map((each) => [each, onDisk(each)]));
      const parts = [...new Set([path, other])].map((each, index) =>
        replacing(each, firstLineOf(each), index === 0 ? first : second),
      );
      // Whatever it answers, if it does: what counts is what is there afterwards.
      const calling = serving.call("apply_patch", v4a(...parts)).catch(() => undefined);
      for (let turns = Math.floor(random() * 40); turns > 0; turns--)
        await new Promise((resolve) => setImmediate(resolve));
      await serving.kill();
      await calling;
      await again();
      await call("list_files", {});
      const changed = paths.filter((each) => onDisk(each) !== before.get(each));
      if (changed.length !== 0 && changed.length !== parts.length)
        problems.push(`${about}: killed, and ${changed.join()} of ${parts.length} changed`);
      for (const each of changed) toldPaths.add(each);
      lookAtAll();
      continue;
    }
    if (inSession++ >= operationsOfSession) {
      await serving.end();
      await again();
    }
    count(name);
    await act(about, path);
    if (problems.length > 5) break;
  }
  await call("record_changes", {});
  await serving.end();
  return { problems, toldVersions, toldPaths, counts };
}
