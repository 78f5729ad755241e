import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Artifacts } from "../../device/artifacts/artifacts.ts";
import { fillReferences } from "../../device/artifacts/references.ts";
import { runQuery } from "../../device/artifacts/tools/artifact-query.ts";
import { callArtifactTool, threadSession } from "../../device/artifacts/tools/artifact-tools.ts";
import { quick } from "../rounds.ts";
import { artifactsSetting, metadataOf, originOf } from "./setting.ts";

function toolsOf(artifacts: Artifacts, threadId = "thr_1") {
  let calls = 0;
  const session = threadSession(artifacts, { threadId, taskId: "task_1", newCallId: () => `made_${++calls}` });
  const call = (name: string, args: unknown) => callArtifactTool(session, name, args);
  const result = async (name: string, args: unknown) => {
    const outcome = await call(name, args);
    if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
    return outcome.result;
  };
  return { call, result };
}

async function kept(content: unknown, id = "call_1") {
  const { artifacts, files } = artifactsSetting();
  const metadata = metadataOf(await artifacts.keep(content, originOf(id)));
  return { artifacts, files, metadata, id: metadata.id, ...toolsOf(artifacts) };
}

describe("artifact_read", () => {
  test("lines and characters are those of the text, wherever they are asked for", async () => {
    const unit = fc.constantFrom("a", "é", "漢", "🙂", "\n", "\r\n", " ");
    const content = fc.array(unit, { minLength: 1, maxLength: 200 }).map((units) => units.join(""));
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.nat(220),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 40 }),
        async (text, startChar, maxChars, startLine) => {
          const { id, result } = await kept(text);
          const byChars = await result("artifact_read", { id, startChar, maxChars });
          const given = Number(byChars.facts["startChar"]);
          expect(given - Math.min(startChar, text.length)).toBeLessThanOrEqual(1);
          expect(
            text
              .slice(given, given + maxChars)
              .toWellFormed()
              .startsWith((byChars.text ?? "").replace(/\ufffd$/, "")),
          ).toBe(true);
          const lines = text.split("\n");
          const byLines = await result("artifact_read", { id, startLine, endLine: startLine });
          const expected =
            startLine > lines.length ? "" : (lines[startLine - 1] ?? "") + (startLine < lines.length ? "\n" : "");
          expect(byLines.text).toBe(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("pages follow each other through one endless line until it is read", async () => {
    const text = Array.from({ length: 3_000 }, (_, at) => `${at}é🙂`).join(" ");
    const { id, result } = await kept(text);
    let [read, startChar] = ["", 0];
    for (let page = 0; page < 100; page++) {
      const { facts, text: part = "" } = await result("artifact_read", { id, startChar, maxChars: 1_001 });
      read += part.replace(/\ufffd$/, "");
      if (facts["isCut"] !== true) break;
      startChar = Number(facts["nextChar"]) - (part.endsWith("\ufffd") ? 1 : 0);
    }
    expect(read).toBe(text);
  });

  test("a binary is not read as text; how to use it is said", async () => {
    const { id, call } = await kept(Uint8Array.of(0, 1, 2));
    expect(await call("artifact_read", { id })).toMatchObject({
      ok: false,
      error: { code: "not_text", recovery: expect.stringContaining('"as": "base64"') },
    });
  });

  test("lines across blocks of a large artifact are found", async () => {
    const text = Array.from({ length: 900_000 }, (_, at) => `line ${at + 1}`).join("\n");
    const { id, result } = await kept(text);
    for (const line of [1, 399_999, 654_321, 900_000]) {
      expect((await result("artifact_read", { id, startLine: line, endLine: line })).text?.trim()).toBe(`line ${line}`);
    }
    expect((await result("artifact_read", { id, startLine: 900_001 })).text).toBe("");
  });

  test("another encoding is decoded", async () => {
    const { id, result } = await kept(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("eins\nzwei ü\n", "utf16le")]),
    );
    expect((await result("artifact_read", { id, startLine: 2, endLine: 2 })).text?.trim()).toBe("zwei ü");
  });
});

describe("artifact_grep", () => {
  test("matches with line numbers and context, in one or in all", async () => {
    const { artifacts, result, id } = await kept("one\ntwo\nthree\n");
    await artifacts.keep("two again", originOf("call_2"));
    expect((await result("artifact_grep", { pattern: "two", contextLines: 1, ids: [id] })).text).toBe(
      `${id}:1- one\n${id}:2: two\n${id}:3- three`,
    );
    const all = await result("artifact_grep", { pattern: "^tw", regex: true });
    expect(all.facts).toMatchObject({ matches: 2, artifactsMatched: 2, isCut: false });
    expect((await result("artifact_grep", { pattern: "two", globs: ["**/call_2*"] })).facts).toMatchObject({
      matches: 1,
    });
  });

  test.skipIf(quick)("line numbers hold beyond the first window of a large artifact; results are bounded", async () => {
    const text = `${Array.from({ length: 1_500_000 }, (_, at) => `line number ${at + 1}`).join("\n")}\n`;
    const { id, result } = await kept(text);
    expect((await result("artifact_grep", { pattern: "number 1499999" })).text).toBe(
      `${id}:1499999: line number 1499999`,
    );
    expect((await result("artifact_grep", { pattern: "number", maxMatches: 10 })).facts).toMatchObject({
      matches: 10,
      isCut: true,
    });
  });

  test("a pattern that is no RE2 is refused with a code", async () => {
    const { call } = await kept("x");
    expect(await call("artifact_grep", { pattern: "(?=x)", regex: true })).toMatchObject({
      error: { code: "pattern_refused" },
    });
  });

  test("a damaged artifact is said to be, and does not end the search", async () => {
    const { artifacts, files, metadata, result } = await kept("two");
    await artifacts.keep("two too", originOf("call_2"));
    await files.write(metadata.path, Buffer.from("twO"));
    const answer = await result("artifact_grep", { pattern: "two" });
    expect(answer.facts).toMatchObject({ matches: 1, notes: [expect.stringContaining("regenerate")] });
  });
});

describe("artifact_query", () => {
  test.each([
    [{ items: [{ n: 1 }, { n: 5 }] }, "items[?n > `2`].n", "[\n 5\n]"],
    [
      "a,b\n1,x\n2,\n007,z\n",
      "[*].[a, b]",
      '[\n [\n  1,\n  "x"\n ],\n [\n  2,\n  null\n ],\n [\n  "007",\n  "z"\n ]\n]',
    ],
    ['{"a":1}\n{"a":2}\n', "[].a | sum(@)", "3"],
  ])("JSON, tables and JSON Lines: %j by %s", async (content, query, answer) => {
    const { id, result } = await kept(content);
    expect((await result("artifact_query", { id, query })).text).toBe(answer);
  });

  test("an answer too long to show becomes an artifact that knows where it comes from", async () => {
    const { id, result, artifacts } = await kept({ items: Array.from({ length: 2_000 }, (_, n) => ({ n })) });
    const answer = await result("artifact_query", { id, query: "items[].n", maxChars: 500 });
    const { metadata } = await artifacts.find(String(answer.facts["storedAs"]));
    expect(metadata).toMatchObject({ stats: { length: 2_000 }, origin: { derivedFrom: id, tool: "artifact_query" } });
    expect(answer.text).toContain(metadata.id);
  });

  test("a wrong expression, broken JSON and text are refused with a code", async () => {
    const { id, call } = await kept({ a: 1 });
    expect(await call("artifact_query", { id, query: "a[" })).toMatchObject({ error: { code: "query_invalid" } });
    const text = await kept("just words");
    expect(await text.call("artifact_query", { id: text.id, query: "a" })).toMatchObject({
      error: { code: "not_queryable" },
    });
  });

  test("a query that explodes in time or memory is stopped; the process lives", async () => {
    const content = Buffer.from(JSON.stringify(Array.from({ length: 300 }, (_, at) => at)));
    const dialect = { delimiter: ",", quote: '"', hasHeader: true };
    const task = { content, kind: "json" as const, dialect };
    const cubed = { ...task, query: "map(&map(&map(&[@, @, @], $), $), $)" };
    await expect(runQuery(cubed, undefined, { maxHeapMb: 64, timeoutMs: 20_000 })).rejects.toMatchObject({
      code: expect.stringMatching(/^query_(?:too_large|overdue)$/),
    });
    const endless = { ...task, query: "length(map(&length(map(&length(map(&length(map(&@, $)), $)), $)), $))" };
    await expect(runQuery(endless, undefined, { timeoutMs: 300 })).rejects.toMatchObject({ code: "query_overdue" });
    expect(await runQuery({ ...task, query: "length(@)" })).toMatchObject({ json: "300" });
  }, 240_000);

  test("a cancelled query ends at once", async () => {
    const cancelled = AbortSignal.abort();
    const task = {
      content: Buffer.from("1"),
      kind: "json" as const,
      query: "@",
      dialect: { delimiter: ",", quote: '"', hasHeader: true },
    };
    await expect(runQuery(task, cancelled)).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("artifact_list and the borders between conversations", () => {
  test("lists a conversation's own artifacts by glob, page by page", async () => {
    const { artifacts, result } = await kept("x", "a");
    for (const id of ["b", "c", "d"]) await artifacts.keep({ id }, originOf(id));
    const first = await result("artifact_list", { limit: 2 });
    expect(first.facts).toMatchObject({ total: 4, next: "thr_1/task_1/b.json" });
    const second = await result("artifact_list", { limit: 2, after: String(first.facts["next"]), globs: ["*.json"] });
    expect(second.facts["artifacts"]).toMatchObject([{ id: "thr_1/task_1/c.json" }, { id: "thr_1/task_1/d.json" }]);
  });

  test("another conversation's artifacts are as if they were not there", async () => {
    const { artifacts, id } = await kept({ secret: 1 });
    const other = toolsOf(artifacts, "thr_2");
    expect((await other.result("artifact_list", {})).facts).toMatchObject({ total: 0 });
    expect((await other.result("artifact_grep", { pattern: "secret" })).facts).toMatchObject({ matches: 0 });
    for (const [name, args] of [
      ["artifact_read", { id }],
      ["artifact_query", { id, query: "@" }],
      ["artifact_grep", { pattern: "s", ids: [id] }],
    ] as const) {
      expect(await other.call(name, args)).toMatchObject({ ok: false, error: { code: "not_found" } });
    }
    await expect(
      fillReferences({ $artifact: id }, artifacts, ({ origin }) => origin.threadId === "thr_2"),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("wrong names and arguments are answers with a code, never exceptions", async () => {
    const { call } = await kept("x");
    expect(await call("artifact_delete", {})).toMatchObject({ error: { code: "unknown_tool" } });
    expect(await call("toString", {})).toMatchObject({ error: { code: "unknown_tool" } });
    expect(await call("artifact_read", { id: 1 })).toMatchObject({ error: { code: "invalid_arguments" } });
    expect(await call("artifact_read", null)).toMatchObject({ error: { code: "invalid_arguments" } });
    expect(await call("artifact_read", { id: "../../x" })).toMatchObject({ error: { code: "not_found" } });
  });
});

describe("arguments by reference", () => {
  const all = () => true;

  test("are filled in as the tool gave them: values as values, text as text, bytes as base64", async () => {
    const { artifacts } = artifactsSetting();
    const value = { a: [1, { b: null }] };
    const [json, text, bytes] = [
      metadataOf(await artifacts.keep(value, originOf("a"))).id,
      metadataOf(await artifacts.keep("plain", originOf("b"))).id,
      metadataOf(await artifacts.keep(Uint8Array.of(0, 1), originOf("c"))).id,
    ];
    const args = { path: "x", content: { $artifact: text }, list: [{ $artifact: json }, 2], raw: { $artifact: bytes } };
    expect(await fillReferences(args, artifacts, all)).toEqual({
      path: "x",
      content: "plain",
      list: [value, 2],
      raw: "AAE=",
    });
    expect(await fillReferences({ $artifact: json, as: "text" }, artifacts, all)).toBe(
      JSON.stringify(value, undefined, 1),
    );
  });

  test("what is filled in is data: a reference within it stays as it is", async () => {
    const { artifacts } = artifactsSetting();
    const secret = metadataOf(await artifacts.keep("secret", originOf("a"))).id;
    const bait = metadataOf(await artifacts.keep({ $artifact: secret }, originOf("b"))).id;
    expect(await fillReferences({ x: { $artifact: bait } }, artifacts, all)).toEqual({ x: { $artifact: secret } });
  });

  test("are bounded, and refused when they are not what they should be", async () => {
    const { artifacts } = artifactsSetting();
    const { id } = metadataOf(await artifacts.keep("x".repeat(1_000), originOf("a")));
    const limits = { maxTotalBytes: 1_500, maxReferences: 5 };
    await expect(fillReferences([{ $artifact: id }, { $artifact: id }], artifacts, all, limits)).rejects.toMatchObject({
      code: "too_large",
    });
    await expect(fillReferences({ $artifact: id, more: 1 }, artifacts, all)).rejects.toMatchObject({
      code: "reference_invalid",
    });
    await expect(fillReferences({ $artifact: id, as: "json" }, artifacts, all)).rejects.toMatchObject({
      code: "reference_invalid",
    });
    await expect(fillReferences({ $artifact: "no/such.txt" }, artifacts, all)).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
