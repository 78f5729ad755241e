import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { exitCodes, exitMeanings } from "../../device/exit-codes.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import { makeProposal } from "./fake-cloud.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder } from "./setting.ts";

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as a process, from its launcher on, without any of this process's settings. */
async function spawned(words: string[], node = process.execPath): Promise<Ended> {
  const child = spawn(node, [launcher, ...words], { cwd: temporaryFolder(), env: { PATH: process.env["PATH"] } });
  const [[code], stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** One command line in this process, in a folder of its own. */
async function scouts(words: string[], { cwd = temporaryFolder(), env = {} } = {}): Promise<Ended> {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment(env), workingFolder: cwd, ...systemTimeAndIds };
  const code = await runCommand(words, context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

function deviceWith(...proposals: Proposal[]): string {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  store.proposals.add(proposals);
  store.close();
  return dataFolder;
}

test("proposals list --json is an array of everything the device holds, newest first", async () => {
  const data = deviceWith(makeProposal(1), makeProposal(2));
  const { code, stdout, stderr } = await spawned(["proposals", "list", "--json", "--data", data]);

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject([
    { id: makeProposal(2).id, sourceMsgRef: "msg-2" },
    {
      id: makeProposal(1).id,
      sourceMsgRef: "msg-1",
      rawSubject: "Subject 1",
      rawSnippet: "Snippet 1",
      category: "unprocessed",
      status: "pending",
    },
  ]);
});

test.each([
  ["add", "mailbox", ""],
  ["project", "list", "--data", ""],
  ["project", "link", "All", ""],
  ["work-folder", ""],
  ["files", "list", ""],
  ["files", "list", "--root", ""],
  ["files", "patch", ""],
  ["files", "read", ""],
  ["files", "write", ""],
  ["config", "show", "--root", ""],
  ["artifacts", "add", ""],
  ["audit", "rotate", "--to", ""],
  ["event", "export", "--to", ""],
  ["event", "import", ""],
  ["note", "export", "--to", ""],
  ["task", "export", "--to", ""],
  ["task", "import", ""],
  ["connect", "--home", ""],
  ["ops", "keys", "reseal", "--table", "t", "--ring-file", ""],
])(
  "an empty path, as of a variable that is not set, is refused and is not the working folder: %j",
  async (...words) => {
    const data = deviceWith();
    const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data });
    store.projects.add("All");
    store.close();
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await scouts(words, { cwd, env: { SCOUTS_DATA: data } });
    expect({ code, stdout, stderr }).toEqual({
      code: exitCodes.usage,
      stdout: "",
      stderr: expect.stringContaining("(usage)"),
    });
    expect(stderr).toContain("A path is empty");
    expect(readdirSync(cwd)).toEqual([]);
  },
);

test("approve and reject decide, by id or by ref, and say what they did; a second decision is refused with 5", async () => {
  const data = deviceWith(makeProposal(1), makeProposal(2));
  const approved = await scouts(["proposals", "approve", makeProposal(1).id, "--data", data]);
  const rejected = await scouts(["proposals", "reject", "msg-2", "--json", "--data", data]);
  const again = await scouts(["proposals", "reject", "msg-1", "--data", data]);

  expect(approved).toEqual({ code: 0, stdout: "approved  Subject 1\n", stderr: "" });
  expect(JSON.parse(rejected.stdout)).toMatchObject([{ status: "rejected", resolvedAt: expect.any(Number) }]);
  expect(again).toEqual({
    code: 5,
    stdout: "",
    stderr: "scouts: The proposal is approved already. (proposal_decided)\n",
  });
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data });
  expect(store.outbox.waiting(9).map(({ text: frame }) => JSON.parse(frame).outcome)).toEqual(["approved", "rejected"]);
  store.close();
});

test("of several decisions at once, all are made or none", async () => {
  const data = deviceWith(makeProposal(1));
  const { code, stderr } = await scouts(["proposals", "approve", "msg-1", "msg-9", "--data", data]);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr:
      "scouts: There is no proposal msg-9 on this device; `scouts proposals list` shows them. (proposal_unknown)\n",
  });

  const left = await scouts(["proposals", "list", "--json", "--status", "pending", "--data", data]);
  expect(JSON.parse(left.stdout)).toHaveLength(1);
});

test.each([
  ["", 'no proposal "" on this device; `scouts proposals list` shows them. Give 4 characters of a ref or id at least.'],
  [
    "ms",
    "no proposal ms on this device; `scouts proposals list` shows them. Give 4 characters of a ref or id at least.",
  ],
  ["msg-9", "no proposal msg-9 on this device; `scouts proposals list` shows them."],
])("what names no proposal is told why, and what would: %j", async (ref, told) => {
  const data = deviceWith(makeProposal(1));
  for (const words of [["show"], ["approve"], ["reject"], ["undo"], ["original", "--print-url"]]) {
    const { code, stderr } = await scouts(["proposals", ...words, "--data", data, ref]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: `scouts: There is ${told} (proposal_unknown)\n` });
  }
});

test("of what was pasted by mistake no more is said back than a screen holds, with what is wrong and what to do", async () => {
  const data = deviceWith(makeProposal(1));
  const pasted = "pasted text ".repeat(10_000);
  for (const [words, cure] of [
    [["proposals", "show", pasted], "`scouts proposals list` shows them. (proposal_unknown)"],
    [["proposals", "list", "--limit", pasted], "It is not a whole number from 1 to 1000000. (usage)"],
    [["task", "add", "x", "--due", pasted], "(date_invalid)"],
    [[pasted], "(usage)"],
  ] as const) {
    const { code, stdout, stderr } = await scouts([...words, "--json", "--data", data]);
    expect(code).not.toBe(0);
    expect(stderr.length).toBeLessThan(2_200);
    expect(stderr).toContain("pasted text");
    expect(stderr.trimEnd().endsWith(cure)).toBe(true);
    expect(JSON.parse(stdout).message.length).toBeLessThan(2_200);
  }
});

test("a ref that two scouts use needs the whole id, and both are told", async () => {
  const other = makeProposal(1, { id: "sct_01JD0000000000000000000001.msg-1" as Proposal["id"] });
  const data = deviceWith(makeProposal(1), other);
  const { code, stderr } = await scouts(["proposals", "show", "msg-1", "--data", data]);
  expect(code).toBe(2);
  expect(stderr).toContain("Several proposals are called msg-1; give the id of the one you mean: ");
  for (const { id } of [makeProposal(1), other]) expect(stderr).toContain(id);
  expect((await scouts(["proposals", "show", other.id, "--data", data])).code).toBe(0);
});

test("a ref or an id is named by its beginning, as long as that tells it from the others", async () => {
  const data = deviceWith(
    makeProposal(1, { id: "sct_01JD0000000000000000000000.abcd1111" as Proposal["id"], sourceMsgRef: "abcd1111" }),
    makeProposal(2, { id: "sct_01JD0000000000000000000000.abcd2222" as Proposal["id"], sourceMsgRef: "abcd2222" }),
    makeProposal(3, { id: "sct_01JD0000000000000000000000.abcd" as Proposal["id"], sourceMsgRef: "abcd" }),
    makeProposal(4, { id: "sct_01JD0000000000000000000000.w_ld4444" as Proposal["id"], sourceMsgRef: "w_ld4444" }),
  );
  const show = async (text: string) => {
    const { code, stdout } = await scouts(["proposals", "show", text, "--json", "--data", data]);
    return code === 0 ? JSON.parse(stdout).sourceMsgRef : code;
  };
  expect(await show("abcd1")).toBe("abcd1111");
  expect(await show("sct_01JD0000000000000000000000.abcd2")).toBe("abcd2222");
  expect(await show("abcd"), "a whole ref is that one").toBe("abcd");
  expect(await show("sct_01JD"), "several").toBe(2);
  const { stderr } = await scouts(["proposals", "show", "abc", "--data", data]);
  expect(stderr).not.toContain("sct_");
  expect(await show("abc"), "too short to be meant").toBe(3);
  expect(await show("w%ld"), "no wildcards").toBe(3);
  expect((await scouts(["proposals", "reject", "abcd1", "--data", data])).stdout).toBe("rejected  Subject 1\n");
});

test("the exit codes in docs/device.md and in the help are those of the program", async () => {
  const rows = Object.entries(exitMeanings).map(([name, meaning]) => ({
    code: exitCodes[name as keyof typeof exitCodes],
    meaning,
  }));
  const document = readFileSync(new URL("../../docs/device.md", import.meta.url), "utf8");
  const documented = [...document.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => ({
    code: Number(code),
    meaning,
  }));
  expect(documented).toEqual(rows);
  const { stdout } = await scouts(["--help"]);
  for (const { code, meaning } of rows)
    expect(stdout).toMatch(new RegExp(`^ +${code}  ${RegExp.escape(meaning)}$`, "m"));
});

test("hostile mail: nothing that a terminal obeys is printed, and JSON still means the same", async () => {
  const rawSubject = "\u001b]0;pwned\u0007\u001b[2J\u009b31mred\u202e\u2066txt.exe\u200b\r\nFake: line";
  const data = deviceWith(makeProposal(1, { rawSubject, rawSnippet: `${rawSubject}\u001bc` }));
  const commands = [["list"], ["show", "msg-1"], ["list", "--json"], ["approve", "msg-1"]];
  for (const words of commands) {
    const { stdout } = await scouts(["proposals", ...words, "--data", data]);
    expect(stdout.replaceAll("\n", ""), words.join(" ")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    if (words.includes("--json")) expect(JSON.parse(stdout)[0].rawSubject).toBe(rawSubject);
  }
});

test.each([
  [["frob"], 2, "unknown command 'frob'"],
  [["frob", "--help"], 2, "unknown command 'frob'"],
  [["files", "edit", "--help"], 2, "unknown command 'edit'"],
  [["proposals", "frobnicate", "-h"], 2, "unknown command 'frobnicate'"],
  [["config", "list"], 2, "unknown command 'list'. There are: show, explain, check, set, unset."],
  [["embeddings", "frob"], 2, "unknown command 'frob'"],
  [["config", "show", "x"], 2, "too many arguments for 'show'"],
  [["up", "--bogus"], 2, "unknown option '--bogus'"],
  [["up", "--port", "0"], 2, "whole number from 1 to 65535"],
  [["up", "--seed", "1.5"], 2, "whole number"],
  [["proposals", "list", "--status", "maybe"], 2, "Allowed choices are pending"],
  [["proposals", "show"], 2, "missing required argument 'id'"],
  [["status"], 4, "There is no device data in"],
  [["proposals", "list", "--json"], 4, "(store_missing)"],
  [["completion", "tcsh"], 2, "Allowed choices are bash, zsh, fish"],
])("scouts %j ends with %i and one sentence on stderr", async (words, code, sentence) => {
  const ended = await scouts(words);
  // Who asked for JSON is given the failure as an object too (test/device/failures-in-json.test.ts has all commands).
  const stdout = words.includes("--json") ? expect.stringContaining('"code": "store_missing"') : "";
  expect(ended).toMatchObject({ code, stdout });
  expect(ended.stderr).toContain(sentence);
  expect(ended.stderr).toMatch(/^scouts: .* \([a-z_]+\)\n$/);
});

test("help of every command says what it does and shows --json", async () => {
  const top = await scouts(["--help"]);
  expect(top.code).toBe(0);
  expect(top.stdout).toContain("Exit codes:\n    0  done\n");
  for (const words of [["up"], ["proposals", "list"], ["proposals", "approve"], ["status"], ["doctor"]]) {
    const { code, stdout } = await scouts([...words, "--help"]);
    expect(stdout, words.join(" ")).not.toMatch(/default: (\[\]|\{\}|\d{6,})/);
    expect(code).toBe(0);
    expect(stdout).toContain("--json");
    expect(stdout).toContain("--data <folder>");
  }
});

test("the data folder is --data, else SCOUTS_DATA, else .scouts where one stands", async () => {
  const data = deviceWith(makeProposal(1));
  const cwd = temporaryFolder();
  const folderOf = async (words: string[], env = {}) =>
    JSON.parse((await scouts(["doctor", "--json", ...words], { cwd, env })).stdout).checks[1].detail;
  expect(await folderOf(["--data", data])).toBe(data);
  expect(await folderOf([], { SCOUTS_DATA: data })).toBe(data);
  expect(await folderOf([])).toContain(path.join(path.basename(cwd), ".scouts"));
});

test("status reads the database beside a running device", async () => {
  const data = deviceWith(makeProposal(1));
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data });
  const status = JSON.parse((await scouts(["status", "--json", "--data", data])).stdout);
  expect(status).toMatchObject({
    device: { id: store.identity.get().deviceId },
    connection: { connected: false },
    proposals: { pending: 1, approved: 0, rejected: 0, expired: 0 },
    outbox: { waiting: 0, refused: 0 },
  });
  store.close();
});

/** A Node that is too old to run the sources, where this machine has one. */
const oldNode = (process.env["PATH"] ?? "")
  .split(path.delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .map((folder) => path.join(folder, "node"))
  .find((node) => existsSync(node));

test.skipIf(oldNode === undefined)(
  "the launcher finds its way to a Node that runs the sources, and passes the exit code on",
  async () => {
    const data = deviceWith(makeProposal(1));
    const words = (id: string) => ["proposals", "show", id, "--data", data];
    expect(await spawned(words("msg-1"), oldNode)).toMatchObject({ code: 0, stderr: "" });
    expect(await spawned(words("msg-2"), oldNode)).toMatchObject({ code: 3, stdout: "" });
  },
);

test("who reads no version gets no complaint", async () => {
  const child = spawn(process.execPath, [launcher, "--version"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  const [[code], stderr] = await Promise.all([once(child, "close"), text(child.stderr)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

// Linux has a file on which the disk is full.
test.skipIf(!existsSync("/dev/full"))(
  "output that cannot be written is said to be lost, and that the work is done",
  async () => {
    const data = deviceWith(makeProposal(1));
    const words = [launcher, "task", "add", "Ring Ada", "--data", data];
    const child = spawn("sh", ["-c", 'exec "$0" "$@" >/dev/full', process.execPath, ...words], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [[code], stderr] = await Promise.all([once(child, "close"), text(child.stderr)]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        "scouts: The output cannot be written: the disk it goes to is full. What the command did stands; look before you run it again. (ENOSPC)\n",
    });
    expect(JSON.parse((await scouts(["task", "list", "--json", "--data", data])).stdout)).toHaveLength(1);
  },
);

test("what comes on standard input and is no UTF-8 is refused, and nothing is written with marks of loss", async () => {
  const [data, root] = [deviceWith(), temporaryFolder()];
  const words = ["files", "write", "--root", root, "note.md", "--data", data];
  const child = spawn(process.execPath, [launcher, ...words], { stdio: ["pipe", "ignore", "pipe"] });
  // "Café" in Latin-1.
  child.stdin.end(Buffer.from("Caf\xe9\n", "latin1"));
  const [[code], stderr] = await Promise.all([once(child, "close"), text(child.stderr)]);
  expect({ code, stderr }).toEqual({
    code: exitCodes.usage,
    stderr:
      "scouts: Standard input is not text in UTF-8; save it so, or change it with iconv. Nothing was taken. (usage)\n",
  });
  expect(readdirSync(root)).not.toContain("note.md");
});

test("the launcher tells its version by itself, on any Node", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  for (const word of ["--version", "-V"])
    expect(await spawned([word], oldNode)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("runs --run shows what a scan of a folder did, file by file", async () => {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  const { id } = store.scoutRuns.start(store.projects.add("Garden").id, "manual");
  const of = (relativePath: string) => ({ relativePath, fromPath: null });
  store.scoutRuns.addActions(id, [
    { action: "added", code: null, ...of("beds.md") },
    { action: "skipped", code: "too_large", ...of("plan.pdf") },
  ]);
  store.close();
  const { code, stdout } = await scouts(["runs", "--run", id, "--data", dataFolder]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/added +beds\.md/);
  expect(stdout).toMatch(/skipped +plan\.pdf +too large/);
});

test("status says when the home was last heard from, and what keeps the device from it: code, cause and cure", async () => {
  const data = deviceWith();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data });
  const ago = Date.now() - 5 * 60_000;
  store.identity.update({ seenAt: ago, troubleCode: "login_needed", troubleAt: ago });
  store.close();
  const { stdout } = await scouts(["status", "--data", data]);
  expect(stdout).toContain("not connected, last heard from its home 5 min ago\n");
  expect(stdout).toContain("Not signed in, or not any more; run `scouts login`. (login_needed, 5 min ago)\n");
});

test.each([
  [-365 * 86_400_000, "This device's clock is 365 d ahead of its home's"],
  [2 * 3_600_000, "This device's clock is 2 h behind its home's"],
])(
  "status says of a clock that is wrong by %i ms that it is, and that what it writes down is",
  async (offsetMs, said) => {
    const data = deviceWith();
    const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data });
    store.identity.update({ clockOffsetMs: offsetMs });
    store.close();
    expect((await scouts(["status", "--data", data])).stdout).toContain(
      `${said}: days and times it writes down are wrong by as much. Set this machine's clock (NTP).\n`,
    );
  },
);

test("nothing silent: who unlinks a folder is told that the settings of it are for no other one", async () => {
  const data = path.join(temporaryFolder(), "data");
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data });
  for (const [name, folder] of [
    ["Garden", "/papers/garden"],
    ["House", "/papers/house"],
  ] as const)
    store.projects.link(store.projects.add(name).id, folder);
  store.close();
  const config = path.join(data, "device", "config.json");
  writeFileSync(config, JSON.stringify({ projects: { "/papers/garden": { read: { deny: ["plans/"] } } } }));
  const told = /Your settings of \/papers\/garden stay .*no other folder/;
  expect((await scouts(["project", "unlink", "Garden", "--data", data])).stdout).toMatch(told);
  expect((await scouts(["project", "unlink", "House", "--data", data])).stdout).toBe("unlinked  /papers/house\n");
});

test("whoever asks about a data folder that nobody has used is told the command that begins in that one", async () => {
  const data = path.join(temporaryFolder(), "my other home");
  for (const words of [
    ["status"],
    ["proposals", "list"],
    ["list"],
    ["artifacts", "list"],
    ["audit", "list", "--device"],
  ]) {
    expect((await scouts([...words, "--data", data])).stderr, words.join(" ")).toContain(
      `\`scouts up --data '${data}'\``,
    );
  }
});
