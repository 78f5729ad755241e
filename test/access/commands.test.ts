import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { openDeviceTrail } from "../../device/actions/device-trail.ts";
import { endWords } from "../../device/activity/end-words.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { patchResult } from "../../events/agent-tools/patch-result.ts";
import { Screen } from "../device/screen.ts";
import { replacing } from "./in-memory-setting.ts";
import { temporaryFolder } from "./setting.ts";

/** A project with a data folder beside it, and `scouts` in it. */
function project(files: Record<string, string>) {
  const [root, data] = [temporaryFolder(), temporaryFolder()];
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const scouts = (...words: string[]) => scoutsOn(data, ...words);
  const scoutsOn = async (dataFolder: string, ...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const context = { io, environment: readEnvironment({}), workingFolder: root, ...systemTimeAndIds };
    const code = await runCommand([...words, "--data", dataFolder], context, "1.2.3");
    return { code, stdout: stdout.written, stderr: stderr.written };
  };
  const json = async (...words: string[]) => JSON.parse((await scouts(...words, "--json")).stdout);
  return { root, data, scouts, scoutsOn, json, text: (path: string) => readFileSync(join(root, path), "utf8") };
}

test("patch, history, rollback and audit from the command line", { timeout: 240_000 }, async () => {
  const { root, scouts, json, text } = project({ "src/a.ts": "const a = 1;\n" });
  writeFileSync(join(root, "change.patch"), replacing("src/a.ts", "const a = 1;", "const a = 2;"));

  expect(await scouts("files", "patch", "change.patch", "--dry-run")).toMatchObject({ code: 0, stderr: "" });
  expect(text("src/a.ts")).toBe("const a = 1;\n");
  expect(await json("files", "patch", "change.patch")).toMatchObject({ success: true, conflict: false });
  expect(text("src/a.ts")).toBe("const a = 2;\n");
  const again = await scouts("files", "patch", "change.patch");
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(/\(already_applied\)\n {2}In the file: line 1\.\n$/),
  ]);
  expect((await scouts("audit", "list")).stdout).toContain(endWords.already_applied);

  const { versions } = await json("files", "history", "src/a.ts");
  expect(await json("files", "rollback", "src/a.ts", versions[1].id)).toMatchObject({ success: true });
  expect(text("src/a.ts")).toBe("const a = 1;\n");
  expect(await json("audit", "verify")).toMatchObject({ ok: true });
  expect(await json("audit", "replay")).toMatchObject({ same: ["src/a.ts"], different: [] });
  expect(await json("files", "stats")).toMatchObject({ files: 2, changedFiles: 1 });
  expect(await json("audit", "rotate", "--to", "trail.jsonl")).toMatchObject({ moved: 5 });
  expect(text("trail.jsonl").trim().split("\n")).toHaveLength(5);
  expect(await json("audit", "replay")).toMatchObject({ same: ["src/a.ts"], different: [] });
  expect((await json("files", "reset", "--history")).versions).toBe(2);
});

test("a list that is not all of the files says so, and how to go on", { timeout: 240_000 }, async () => {
  const { scouts } = project({ "a.md": "a\n", "b.md": "b\n", "c.md": "c\n" });

  const first = await scouts("files", "list", "--limit", "2");
  const rest = await scouts("files", "list", "--limit", "2", "--after", "b.md");

  expect(first.stdout).toContain('Only 2 files; there are more: --after "b.md" goes on');
  expect(rest.stdout).toContain("c.md");
  expect(rest.stdout).not.toMatch(/b\.md|there are more/);
});

test("arguments that are none are named in plain words, on every way in", async () => {
  const { scouts, json } = project({ "a.md": "one\n" });
  const sentence = "The arguments do not match what the tool accepts.";
  expect((await scouts("files", "grep", "")).stderr).toBe(
    `scouts: ${sentence} pattern: it is empty (invalid_arguments)\n`,
  );
  expect(await json("files", "list", "--glob", "")).toMatchObject({ message: `${sentence} globs.0: it is empty` });
  expect(await json("files", "read", "x".repeat(5_000))).toMatchObject({
    message: `${sentence} path: it has more than 4095 characters`,
  });
});

test("P2: a refused command tells where the edit could be meant and what to do, in words and with --json", {
  timeout: 240_000,
}, async () => {
  const { root, scouts, json } = project({ "a\u001b.txt": "one\ntwo\none\n", "b.txt": "b\n" });
  writeFileSync(join(root, "change.patch"), replacing("a\u001b.txt", "one", "\u001b[2J"));
  const refused = await scouts("files", "patch", "change.patch");
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toMatch(
    /\(ambiguous_match\)\n {2}In the file: line 1; line 3\.\n {2}Add lines around the edit, so that it fits one place only\.\n$/,
  );
  expect(refused.stderr).not.toContain("\u001b");
  const told = await scouts("files", "patch", "change.patch", "--json");
  expect(told.code).toBe(1);
  expect(told.stdout).not.toContain("\u001b");
  const { recovery, exitCode: _, ...result } = JSON.parse(told.stdout);
  expect(patchResult.parse(result)).toMatchObject({
    success: false,
    conflict: false,
    code: "ambiguous_match",
    message: expect.stringContaining("more than once"),
    candidates: [
      { startLine: 1, endLine: 1 },
      { startLine: 3, endLine: 3 },
    ],
    current: expect.stringContaining("one"),
  });
  expect(recovery).toBe("Add lines around the edit, so that it fits one place only.");
  const version = "ver_01HZX5J9R3K7M2N4P6Q8S0T1V2";
  expect(await json("files", "rollback", "b.txt", version)).toMatchObject({
    success: false,
    code: "version_unknown",
    recovery: "scouts files history lists the versions.",
  });
  expect(await json("files", "read", "absent")).toEqual({
    success: false,
    code: "not_found",
    exitCode: 1,
    message: expect.stringContaining("absent"),
  });
  expect(await json("files", "patch", "absent.patch")).toMatchObject({ success: false, code: "usage" });
  expect(await json("files", "list", "--root", "absent")).toMatchObject({ success: false });
});

test("a file of one long line is read page by page, each of which says how to go on", {
  timeout: 240_000,
}, async () => {
  const line = Array.from({ length: 60_000 }, (_, n) => `word${n}`).join(" ");
  const { scouts, json } = project({ "long.txt": line });
  let [read, from] = ["", "0"];
  for (let pages = 0; pages < 100; pages++) {
    const { stdout } = await scouts("files", "read", "long.txt", "--from", from);
    read += stdout.slice(0, stdout.indexOf("\nCharacters "));
    const next = /--from (\d+) goes on\./.exec(stdout)?.[1];
    if (next === undefined) break;
    from = next;
  }
  expect(read).toBe(line);
  expect(from).not.toBe("0");
  expect(await json("files", "read", "long.txt", "--from", from)).toMatchObject({ form: "page" });
  expect((await scouts("files", "read", "long.txt", "--from", from, "--lines", "1")).code).toBe(2);
});

test("a long line among others that is asked for by its number is cut at a whole character, and says where it goes on", async () => {
  // Wherever the limit is, one of the two is cut within a character of two units.
  const even = "😀".repeat(150_000);
  const files = { "even.txt": even, "odd.txt": `x${even}` };
  const { scouts, json } = project(
    Object.fromEntries(Object.entries(files).map(([file, line]) => [file, `first\n${line}\nlast\n`])),
  );
  for (const [file, line] of Object.entries(files)) {
    const { stdout } = await scouts("files", "read", file, "--lines", "2");
    const shown = stdout.slice(0, stdout.indexOf("\n"));
    const next = /--from (\d+) goes on\./.exec(stdout)?.[1] ?? "";
    const rest = await json("files", "read", file, "--from", next);
    expect(shown.length).toBeGreaterThan(0);
    expect([shown.isWellFormed(), shown + rest.text]).toEqual([true, `${line}\nlast\n`]);
  }
});

test("nothing silent: a search shows as many lines as are asked for, and says what is missing of them", async () => {
  const many = Array.from({ length: 2_001 }, (_, n) => `needle ${n}\n`).join("");
  const { scouts } = project({ "many.txt": many, "wide.txt": `${"word ".repeat(1_000)}thread\n` });
  const found = (...words: string[]) => scouts("files", "grep", ...words).then(({ stdout }) => stdout.split("\n"));
  const isMatch = (line: string) => line.startsWith("many.txt:");
  const few = await found("needle");
  expect(few.filter(isMatch)).toHaveLength(100);
  expect(few.join("\n")).toMatch(/Only the first 100 matches\.\n.*--limit shows up to 2000/);
  const most = await found("needle", "--limit", "2000");
  expect(most.filter(isMatch)).toHaveLength(2_000);
  expect(most.join("\n")).toContain("Only the first 2000 matches.");
  const wide = await found("thread");
  expect(wide.slice(0, 2)).toEqual([
    expect.stringMatching(/^wide\.txt:1: .*…$/),
    expect.stringContaining("files read --lines"),
  ]);
});

test("nothing silent: a list that ends at its limit says that there may be older ones", async () => {
  const { scouts } = project({ "a.txt": "one\n", "p.patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n" });
  await scouts("files", "patch", "p.patch");
  const lists = [
    ["files", "history", "a.txt"],
    ["audit", "list"],
  ];
  for (const words of lists) {
    expect((await scouts(...words, "--limit", "1")).stdout).toMatch(/newest 1; older ones.* --limit\.\n$/);
    expect((await scouts(...words)).stdout).not.toContain("older ones");
  }
});

test("nothing silent: of a text in another charset than it is shown in, that is said", {
  timeout: 240_000,
}, async () => {
  const { root, scouts } = project({});
  writeFileSync(join(root, "old.txt"), Buffer.from(`${"c4e3bac3a3acbbe1d2e9cda8d6aa".repeat(20)}ff0a`, "hex"));
  writeFileSync(join(root, "latin.txt"), Buffer.from("Grüße aus Köln\n", "latin1"));
  expect((await scouts("files", "read", "old.txt")).stdout).toContain("probably in gb18030");
  expect((await scouts("files", "read", "old.txt", "--lines", "1")).stdout).toContain("probably in gb18030");
  expect((await scouts("files", "read", "latin.txt")).stdout).toBe("Grüße aus Köln\n");
});

test("nothing silent: the trail of a folder that is gone is shown, proved and exported", {
  timeout: 240_000,
}, async () => {
  const { root, scouts, json } = project({ "a.md": "# A\n" });
  await scouts("files", "read", "a.md");
  rmSync(root, { recursive: true });

  expect(await json("audit", "list", "--root", root)).toMatchObject([{ tool: "read_file" }]);
  expect(await json("audit", "verify", "--root", root)).toMatchObject({ ok: true, records: 1 });
  expect((await scouts("audit", "export", "--root", root)).stdout).toContain('"read_file"');
  expect(await json("audit", "list", "--root", `${root}-never`)).toMatchObject({ success: false });
});

test("the trail of what was asked of the device itself is shown, proved and exported apart from a project's", {
  timeout: 240_000,
}, async () => {
  const { data, scouts, json } = project({ "a.md": "# A\n" });
  await scouts("files", "read", "a.md");
  const { trail, close } = openDeviceTrail(data, Date.now);
  // What a stranger's name may hold: a sign that turns the line round, and a terminal's command of one sign.
  const args = { path: "txt.\u202efdp", title: "\u009b2J" };
  const call = { caller: "agent:home", session: "run_1", tool: "erase_everything", args };
  // A file of which two passages were shown stands twice in the record.
  const shown = { path: "twice.md", beforeHash: null, afterHash: null, versionId: null };
  trail.append({ ...call, decision: "none", outcome: "unknown_action", files: [shown, shown] });
  close();
  expect(await json("audit", "list", "--device")).toMatchObject([{ tool: "erase_everything", caller: "agent:home" }]);
  expect(await json("audit", "verify", "--device")).toMatchObject({ ok: true, records: 1 });
  const exported = await scouts("audit", "export", "--device");
  expect(
    exported.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ tool: "erase_everything", args }]);
  expect(exported.stdout).not.toMatch(/[\u009b\u202e]/);
  expect((await scouts("audit", "list", "--device")).stdout.match(/twice\.md/g)).toHaveLength(1);
  expect((await scouts("audit", "list")).stdout).toContain("read_file");
  expect((await scouts("audit", "list")).stdout).not.toContain("erase_everything");
});

test("reading, searching and listing; indentation stays, what acts on a terminal does not", {
  timeout: 240_000,
}, async () => {
  const { scouts, json } = project({
    "README.md": "# A\n",
    "b.py": "def f():\n    return '\u001b[2J'\n",
    ".env": "A=1\n",
  });
  expect((await scouts("files", "read", "b.py")).stdout).toBe("def f():\n    return '\ufffd[2J'\n");
  expect(await json("files", "read", "b.py", "--lines", "2:2")).toMatchObject({ startLine: 2, endLine: 2 });
  expect((await scouts("files", "grep", "stands nowhere")).stdout).toMatch(/^No matches\.\n/);
  expect(await json("files", "grep", "return")).toMatchObject({ matches: [{ path: "b.py", line: 2 }] });
  expect((await json("files", "list")).files).toHaveLength(3);
  expect((await json("files", "excerpt", "b.py")).text).toContain("def f()");
  expect((await json("files", "summary", "b.py")).by).toBe("built-in");
  expect((await json("files", "open")).excerpts).toMatchObject([{ path: "README.md" }]);
  const secret = await scouts("files", "read", ".env");
  expect([secret.code, secret.stdout, secret.stderr]).toEqual([
    1,
    "",
    expect.stringMatching(/\(approval_refused\)\n {2}Run it at a terminal and answer yes, or with --yes\.\n$/),
  ]);
  expect((await scouts("files", "read", ".env", "--yes")).stdout).toBe("A=1\n");
  expect((await scouts("files", "read", "../x")).stderr).toMatch(/\(outside_root\)\n$/);
  expect((await scouts("files", "list", "--root", "absent")).code).toBe(2);
});

test("the data folder may lie in the project: no tool shows it", { timeout: 240_000 }, async () => {
  const { root, scoutsOn } = project({ "a.txt": "a\n" });
  const inside = join(root, ".scouts");
  await scoutsOn(inside, "files", "stats");
  const listed = JSON.parse((await scoutsOn(inside, "files", "list", "--json")).stdout);
  expect(listed.files).toMatchObject([{ path: "a.txt" }]);
  const database = listed.notes.join();
  expect(database).toContain("left out because a rule denies reading");
  const read = await scoutsOn(inside, "files", "read", ".scouts/device/device.sqlite", "--yes");
  expect(read.stderr).toMatch(/\(denied\)\n$/);
});
