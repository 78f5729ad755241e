import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FileAccess, ToolOutcome } from "../../device/access/file-access.ts";
import { readResource } from "../../device/access/mcp/resources.ts";
import { type Backend, backendProfiles, backends } from "../../device/access/policy/profiles.ts";
import { presented } from "../../device/access/present.ts";
import { DisclosedLines } from "../../device/access/session/disclosed-lines.ts";
import type { AccessSession } from "../../device/access/session/session.ts";
import { circumstances, rounds } from "../rounds.ts";
import { setting } from "./setting.ts";

const line = (at: number) => `datum-${String(at).padStart(6, "0")}`;
const lines = (count: number) => Array.from({ length: count }, (_, at) => `${line(at + 1)}\n`).join("");
/** The different lines of the file that stand somewhere in what a model was shown. */
const shownIn = (answers: readonly string[]) =>
  new Set(answers.flatMap((answer) => answer.match(/datum-\d{6}/g) ?? [])).size;
const codeOf = (outcome: ToolOutcome) => (outcome.ok ? "ok" : outcome.error.code);

interface Reader {
  readonly access: FileAccess;
  readonly session: AccessSession;
  call(tool: string, args: Record<string, unknown>): Promise<string>;
}

async function reader(backend: Backend, count: number, more: Parameters<typeof setting>[1] = {}): Promise<Reader> {
  const { access } = await setting({ "f.txt": lines(count), "g.txt": "other\n" }, more);
  const limits = { calls: 1e6, tokensRead: 1e9, bytesRead: 1e9 };
  const session = access.openSession({ caller: "model", backend, limits });
  return { access, session, call: async (tool, args) => presented(await access.call(session, tool, args)) };
}

/** Ways to go through a file, each with every page size it takes. */
const ways: Readonly<Record<string, (reader: Reader, count: number) => Promise<string[]>>> = {
  "read_lines, a few at a time": async ({ call }, count) => {
    const answers = [];
    const page = Math.ceil(count / 40);
    for (let at = 1; at <= count; at += page) {
      answers.push(await call("read_lines", { path: "f.txt", startLine: at, endLine: at + page - 1 }));
    }
    return answers;
  },
  "read_lines from the end": async ({ call }, count) => {
    const answers = [];
    const page = Math.ceil(count / 25);
    for (let at = count; at > 0; at -= page) {
      answers.push(await call("read_lines", { path: "f.txt", startLine: Math.max(1, at - page + 1), endLine: at }));
    }
    return answers;
  },
  "read_file, by pages of characters": async ({ call }, count) => {
    const answers = [];
    const maxChars = Math.ceil(count / 3) + 1;
    for (let startChar = 0; startChar < count * 13; startChar += maxChars) {
      answers.push(await call("read_file", { path: "f.txt", startChar, maxChars }));
    }
    return answers;
  },
  "read_file, in one page": async ({ call }) => [
    await call("read_file", { path: "f.txt", maxChars: 1_000_000 }),
    await call("read_file", { path: "f.txt", full: true }),
    await call("read_file", { path: "f.txt" }),
  ],
  "grep_files, with lines around": async ({ call }, count) => {
    const answers = [];
    for (let at = 1; at <= count; at += Math.ceil(count / 40)) {
      answers.push(await call("grep_files", { pattern: line(at), contextLines: 20 }));
    }
    return [...answers, await call("grep_files", { pattern: "datum", maxMatches: 2_000 })];
  },
  get_excerpt: async ({ call }) => {
    const answers = [];
    for (const maxLines of [5, 100, 500, 2_000]) answers.push(await call("get_excerpt", { path: "f.txt", maxLines }));
    return answers;
  },
  resources: async ({ access, session }) => {
    const served = { project: { access, paid: undefined }, session, name: undefined };
    const [read] = await Promise.allSettled([readResource(served, "scouts-file:///f.txt")]);
    // What it would give beyond that is refused, and the refusal must give nothing either.
    return [JSON.stringify(read.status === "fulfilled" ? read.value : [read.reason.message, read.reason.data])];
  },
  "apply_patch, as dry runs": async ({ call }, count) => {
    const answers = [];
    for (let at = 4; at <= count; at += Math.ceil(count / 40)) {
      const patch = `*** Begin Patch\n*** Update File: f.txt\n@@\n-${line(at)}\n+x\n*** End Patch\n`;
      answers.push(await call("apply_patch", { patch, dryRun: true }));
    }
    const whole = "*** Begin Patch\n*** Delete File: f.txt\n*** End Patch\n";
    return [...answers, await call("apply_patch", { patch: whole, dryRun: true })];
  },
  "refusals with the text as it is": async ({ call }, count) => {
    const answers = [];
    for (let at = 4; at <= count; at += Math.ceil(count / 30)) {
      const patch = `*** Begin Patch\n*** Update File: f.txt\n@@\n ${line(at)}\n-absent\n+x\n*** End Patch\n`;
      answers.push(await call("apply_patch", { patch }));
    }
    return [...answers, await call("write_file", { path: "f.txt", content: "x\n" })];
  },
  get_diff: async ({ call }) => {
    await call("write_file", { path: "f.txt", content: "x\n", mode: "append" });
    const empty = await call("apply_patch", { patch: "*** Begin Patch\n*** Delete File: f.txt\n*** End Patch\n" });
    return [empty, await call("get_diff", { path: "f.txt" })];
  },
};

describe("a session is given so many lines of a file, whichever tool gives them (C3)", () => {
  describe.each(circumstances(["cloud", "local"] as const))("as %s", (backend) => {
    const limit = backendProfiles[backend].linesWithoutApproval;
    const count = limit + 1_152;

    test.each(Object.keys(ways))("%s", async (way) => {
      const answers = (await ways[way]?.(await reader(backend, count), count)) ?? [];
      expect(shownIn(answers)).toBeLessThanOrEqual(limit);
    });

    test("under another name as well", async () => {
      const { call } = await reader(backend, count);
      const read = (path: string, from: number) =>
        call("read_lines", { path, startLine: from, endLine: from + limit - 1 });
      const answers = [await read("f.txt", 1)];
      const move = (from: string, to: string) =>
        `*** Begin Patch\n*** Update File: ${from}\n*** Move to: ${to}\n*** End Patch\n`;
      answers.push(await call("apply_patch", { patch: move("f.txt", "h.txt") }), await read("h.txt", limit + 1));
      answers.push(await call("apply_patch", { patch: move("h.txt", "i.txt") }), await read("i.txt", limit + 1));
      expect(shownIn(answers)).toBe(limit);
    });
  });

  test("all ways in turn give no more than one", { timeout: 240_000 }, async () => {
    const limit = backendProfiles.local.linesWithoutApproval;
    const one = await reader("local", limit + 1_152);
    const answers = [];
    for (const way of Object.values(ways)) answers.push(...(await way(one, limit + 1_152)));
    expect(shownIn(answers)).toBeGreaterThan(limit / 2);
    expect(shownIn(answers)).toBeLessThanOrEqual(limit);
  });

  test.each(backends)("what to do is said: %s", async (backend) => {
    const limit = backendProfiles[backend].linesWithoutApproval;
    const { access, session } = await reader(backend, limit + 10);
    const outcome = await access.call(session, "read_lines", { path: "f.txt", startLine: 1, endLine: limit + 1 });
    expect(outcome).toMatchObject({ ok: false, error: { code: "budget_exceeded" } });
    expect(!outcome.ok && outcome.error.message).toContain(
      `Ask for at most ${limit} lines more, or let a person approve`,
    );
    const fewer = await access.call(session, "read_lines", { path: "f.txt", startLine: 1, endLine: limit });
    expect(codeOf(fewer)).toBe("ok");
  });

  test("a person who approves is asked for as much again, and what was given stays free", async () => {
    const asked: string[] = [];
    const approver = { approve: async ({ action }: { action: string }) => asked.push(action) > 0 };
    const { access, session } = await reader("local", 1_000, { approver });
    const read = (startLine: number, endLine: number) =>
      access.call(session, "read_lines", { path: "f.txt", startLine, endLine });
    for (const [from, to] of [
      [1, 200],
      [1, 200],
      [150, 200],
    ] as const)
      expect(codeOf(await read(from, to))).toBe("ok");
    expect(asked).toEqual([]);
    expect(codeOf(await read(201, 600))).toBe("ok");
    expect(codeOf(await read(1, 600))).toBe("ok");
    expect(asked).toEqual(["read 400 more lines of f.txt"]);
    expect(codeOf(await read(601, 601))).toBe("ok");
    expect(asked).toHaveLength(2);
  });

  test("another file, and another session, have their own", async () => {
    const { access, session, call } = await reader("local", 300);
    await call("read_lines", { path: "f.txt", startLine: 1, endLine: 200 });
    expect(codeOf(await access.call(session, "read_file", { path: "g.txt" }))).toBe("ok");
    const other = access.openSession({ caller: "model", backend: "local" });
    expect(codeOf(await access.call(other, "read_lines", { path: "f.txt", startLine: 101, endLine: 300 }))).toBe("ok");
  });

  test("a file of one line is given by as many characters", async () => {
    const { access } = await setting({ "min.js": "x".repeat(100_000) });
    const session = access.openSession({ caller: "model", backend: "local" });
    let chars = 0;
    for (let at = 0; at < 100_000; at += 3_000) {
      const outcome = await access.call(session, "read_file", { path: "min.js", startChar: at, maxChars: 3_000 });
      if (outcome.ok) chars += outcome.result.text.length;
    }
    expect(chars).toBeGreaterThan(30_000);
    expect(chars).toBeLessThanOrEqual(40_000);
  });

  test("an edit moves lines and does not make them new; a search that can give nothing more says so", async () => {
    const { call, access, session } = await reader("local", 200);
    await call("read_lines", { path: "f.txt", startLine: 1, endLine: 200 });
    await call("apply_patch", {
      patch: `*** Begin Patch\n*** Update File: f.txt\n@@\n-${line(1)}\n+a\n+b\n+c\n*** End Patch\n`,
    });
    expect(codeOf(await access.call(session, "read_file", { path: "f.txt", full: true }))).toBe("ok");
    const { call: search } = await reader("local", 400);
    await search("read_lines", { path: "f.txt", startLine: 1, endLine: 200 });
    expect(await search("grep_files", { pattern: line(300) })).toContain("Lines of 1 file are left out");
    expect(await search("grep_files", { pattern: line(100), contextLines: 0 })).toContain(`:100: ${line(100)}`);
  });
});

test("what is spent never exceeds the different lines given, nor falls below those of one version", () => {
  const version = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("v1", "v2", "v3"), version), { maxLength: 8 }), (gifts) => {
      const given = new DisclosedLines();
      const most = new Map<string, number>();
      const kept = new Map<string, readonly string[]>();
      let total = 0;
      for (const [hash, texts] of gifts) {
        const file = kept.get(hash) ?? texts;
        kept.set(hash, file);
        const parts = file.map((text, at) => ({ hash, line: at + 1, text }));
        const cost = given.cost(parts);
        const before = given.spent;
        given.give(parts);
        expect(given.spent).toBe(before + cost);
        expect(given.cost(parts)).toBe(0);
        for (const text of new Set(file)) {
          most.set(text, Math.max(most.get(text) ?? 0, file.filter((each) => each === text).length));
        }
        total += file.length;
      }
      expect(given.spent).toBe([...most.values()].reduce((sum, each) => sum + each, 0));
      expect(given.spent).toBeLessThanOrEqual(total);
    }),
    { seed: 20_261_122, numRuns: rounds(300) },
  );
});
