import { expect, test } from "vitest";
import { runCommand } from "../../cli/program.ts";
import { decideProposal, newFrameId } from "../../device/store/decide.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { mostSearched } from "../../device/store/tables/proposals/filter.ts";
import type { ProposalMetadata } from "../../events/proposals/metadata.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import { newId } from "../memory/chance.ts";
import { makeProposal } from "./fake-cloud.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder } from "./setting.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const known: ProposalMetadata = {
  sender: { name: "Bea Lind", address: "bea@example.org" },
  sentAt: Date.UTC(2026, 10, 22, 9, 30),
  relation: "cc",
  threadRef: "t1",
  attachments: [
    { name: "offer.pdf", sizeBytes: 48_213 },
    { name: "roof.jpg", sizeBytes: 2_500_000 },
  ],
  listId: "roofers.example.org",
  automatic: true,
  sourceLink: "https://mail.example/1",
};
const withMetadata = (n: number, change: Partial<ProposalMetadata> = {}): Proposal =>
  makeProposal(n, { triagedAt: nowMs - 3_600_000 * (9 - n), metadata: { ...known, ...change } });

/** `scouts proposals …` on a device that holds these; what it prints. */
async function proposals(held: readonly Proposal[], words: readonly string[], approve: readonly number[] = []) {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ dataFolder, now: () => nowMs, newId });
  store.proposals.add(held);
  for (const n of approve) store.proposals.decide(makeProposal(n).id, "approved");
  store.close();
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
  const context = { io, environment: {}, workingFolder: dataFolder, now: () => nowMs, newId };
  const code = await runCommand(["proposals", ...words, "--data", dataFolder], context, "1");
  expect({ code, stderr: stderr.written }).toEqual({ code: 0, stderr: "" });
  return stdout.written;
}

test("list --json tells who, when, how and with what, and null for what is not known", async () => {
  const listed = JSON.parse(await proposals([withMetadata(2), makeProposal(1)], ["list", "--json"]));
  expect(listed).toMatchObject([
    { sourceMsgRef: "msg-2", ...known, thread: null },
    {
      sourceMsgRef: "msg-1",
      sender: null,
      sentAt: null,
      relation: null,
      threadRef: null,
      attachments: null,
      listId: null,
      automatic: null,
      sourceLink: null,
      thread: null,
    },
  ]);
  expect(listed[0]).not.toHaveProperty("metadata");
});

test("the list is in the order of when mail was written, and says how long ago that is", async () => {
  const hoursAgo = (hours: number, n: number) =>
    makeProposal(n, { triagedAt: nowMs + n, metadata: { ...known, sentAt: nowMs - hours * 3_600_000 } });
  const [, ...rows] = (await proposals([hoursAgo(1, 1), hoursAgo(22, 2)], ["list", "--no-fold"])).split("\n");
  expect(rows.slice(0, 2)).toEqual([
    expect.stringMatching(/^pending +1 h .*msg-1$/),
    expect.stringMatching(/^pending +22 h .*msg-2$/),
  ]);
});

test("a search says how many it did not look through, in every order, and beside the objects of a program", async () => {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ dataFolder, now: () => nowMs, newId });
  const held = Array.from({ length: mostSearched + 2 }, (_, n) => makeProposal(n, { triagedAt: nowMs - n * 1_000 }));
  store.transaction(() => {
    for (let at = 0; at < held.length; at += 500) store.proposals.add(held.slice(at, at + 500));
  });
  store.close();
  const said = "The oldest 2 proposals were not searched.\n";
  const search = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
    const context = { io, environment: {}, workingFolder: dataFolder, now: () => nowMs, newId };
    const all = ["proposals", "list", "--search", `${mostSearched + 1}`, ...words, "--data", dataFolder];
    expect(await runCommand(all, context, "1")).toBe(0);
    return { out: stdout.written, err: stderr.written };
  };
  for (const words of [[], ["--no-fold"], ["--by", "attention"]]) expect((await search(...words)).out).toContain(said);
  expect(await search("--json")).toEqual({ out: "[]\n", err: said });
});

test("a conversation takes one row, --no-fold and --json list all of it, with what was decided before", async () => {
  const held = [withMetadata(1), withMetadata(2), withMetadata(3, { threadRef: "t2" })];
  const [titles = "", ...rows] = (await proposals(held, ["list"], [1])).split("\n");
  expect(titles).toMatch(/^STATUS +AGE +WHY +FROM +SUBJECT +THREAD +REF$/);
  expect(rows.slice(0, 3)).toEqual([
    expect.stringMatching(/^pending +6 h +personal +Bea Lind +Subject 3 +msg-3$/),
    expect.stringMatching(/^pending +7 h +personal +Bea Lind +Subject 2 +2 +msg-2$/),
    "3 proposals in 2 rows",
  ]);
  expect(await proposals(held, ["list", "--no-fold"], [1])).toContain("msg-1");
  const json = JSON.parse(await proposals(held, ["list", "--json"], [1]));
  const counts = { pending: 1, approved: 1, rejected: 0, expired: 0 };
  expect(json.map(({ thread }: { thread: unknown }) => thread)).toEqual([null, counts, counts]);
  expect(await proposals(held, ["show", "msg-2"], [1])).toMatch(/^thread +2 proposals: 1 pending, 1 approved by you$/m);
});

test("show says all of it", async () => {
  const shown = await proposals([withMetadata(1)], ["show", "msg-1"]);
  for (const line of [
    "from    Bea Lind <bea@example.org>",
    "sent    2026-11-22 09:30",
    "how     to you in copy, sent by a program",
    "list    roofers.example.org",
    "files   offer.pdf (48.2 kB), roof.jpg (2.5 MB)",
    "link    https://mail.example/1",
  ]) {
    expect(shown.split("\n")).toContain(line);
  }
  expect(await proposals([makeProposal(1)], ["show", "msg-1"])).not.toMatch(
    /^(?:from|sent|how|list|files|link|thread)/m,
  );
});

test("hostile names: nothing a terminal obeys or that turns text around is printed, and JSON still means the same", async () => {
  const name = `\u001b]0;pwned\u0007\u202egpj.exe\u2066\r\nFake: line ${"ö".repeat(150)}`;
  const hostile = withMetadata(1, {
    sender: { name, address: `x\u202e@evil.example\u001b[2J` },
    attachments: [{ name, sizeBytes: 0 }],
    listId: name.slice(0, 100),
    sourceLink: "https://evil.example/\u202e",
  });
  for (const words of [["list"], ["list", "--no-fold"], ["show", "msg-1"], ["list", "--json"], ["approve", "msg-1"]]) {
    const printed = await proposals([hostile], words);
    expect(printed.replaceAll("\n", ""), words.join(" ")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(printed).not.toMatch(/^Fake/m);
    if (words[0] === "list" && !words.includes("--json")) {
      for (const line of printed.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    }
    if (words.includes("--json")) expect(JSON.parse(printed)[0].sender.name).toBe(name);
  }
});

test.each([
  ["a name that is an address", "service@bank.example", "x@evil.example"],
  ["a name of which nothing is seen", "\u200b\u2066", "x@evil.example"],
])("the list shows the address itself for %s", async (_, name, address) => {
  const [, row = ""] = (await proposals([withMetadata(1, { sender: { name, address } })], ["list"])).split("\n");
  expect(row).toContain("x@evil.example");
  expect(row).not.toContain("bank");
});

test("a file's kind is seen however long its name is", async () => {
  const attachments = [{ name: `${"invoice ".repeat(20)}.exe`, sizeBytes: 1 }];
  expect(await proposals([withMetadata(1, { attachments })], ["show", "msg-1"])).toMatch(/…[^,\n]*\.exe \(1 B\)$/m);
});

test("list --search shows what the console's search finds: each word somewhere, without case and accents", async () => {
  const named = (n: number, rawSubject: string) => makeProposal(n, { rawSubject, metadata: known });
  const held = [named(1, "Café in the Garden"), named(2, "Café at sea"), makeProposal(3, { rawSubject: "Garden" })];
  const found = async (...words: string[]) => {
    const listed = JSON.parse(await proposals(held, ["list", "--json", ...words]));
    return listed.map(({ sourceMsgRef }: { sourceMsgRef: string }) => sourceMsgRef).sort();
  };
  expect(await found("--search", "cafe GARDEN")).toEqual(["msg-1"]);
  expect(await found("--search", "bea lind")).toEqual(["msg-1", "msg-2"]);
  expect(await found("--search", " ")).toEqual(["msg-1", "msg-2", "msg-3"]);
  expect(await proposals(held, ["list", "--search", "sea"])).toMatch(/Café at sea/);
  expect(await proposals(held, ["list", "--search", "nowhere"])).not.toMatch(/Café|Garden/);
});

test.each([
  ["rejected", "rejected elsewhere"],
  ["approved", "approved elsewhere"],
  [undefined, "decided elsewhere"],
] as const)("of what another device has %s, list, show and undo say so in the same words", async (outcome, said) => {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ dataFolder, now: () => nowMs, newId });
  store.proposals.add([makeProposal(1), makeProposal(2)]);
  // One was decided here too, and the cloud has not been told: it is undone.
  decideProposal(store, makeProposal(2).id, "approved", () => newFrameId(newId), nowMs + 60_000);
  for (const n of [1, 2])
    store.proposals.close(makeProposal(n).id, { reason: "resolved_elsewhere", round: 1, outcome });
  store.close();
  const run = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
    const context = { io, environment: {}, workingFolder: dataFolder, now: () => nowMs, newId };
    await runCommand(["proposals", ...words, "--data", dataFolder], context, "1");
    return stdout.written;
  };
  expect(await run("undo", "msg-2")).toMatch(new RegExp(`^${said} {2}`));
  expect((await run("list")).match(new RegExp(said, "g"))).toHaveLength(2);
  expect(await run("show", "msg-1")).toMatch(new RegExp(`^status +${said}$`, "m"));
});

test("P3: what was closed because nobody decided it is said by status and brief, seen, and taken back at once", async () => {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ dataFolder, now: () => nowMs, newId });
  store.proposals.add([1, 2, 3].map((n) => makeProposal(n)));
  for (const n of [1, 2]) store.proposals.close(makeProposal(n).id, { reason: "expired" });
  store.close();
  const run = async (at: number, ...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
    const context = { io, environment: {}, workingFolder: dataFolder, now: () => at, newId };
    const code = await runCommand([...words, "--data", dataFolder], context, "1");
    return { code, stdout: stdout.written, stderr: stderr.written };
  };
  const later = nowMs + 2 * 86_400_000;
  const said =
    "2 proposals were closed since 2026-11-22, because nobody decided them for thirty days. To see them: " +
    "scouts proposals list --status expired; to take them back: scouts proposals reopen --expired";
  for (const command of ["status", "brief"]) expect((await run(later, command)).stdout).toContain(said);
  const json = JSON.parse((await run(later, "status", "--json")).stdout);
  expect(json).toMatchObject({ closedUndecided: { proposals: 2, since: nowMs } });
  const shown = (await run(later, "proposals", "show", "msg-1")).stdout;
  expect(shown).toMatch(/^status +expired \(nobody decided it for thirty days\)$/m);
  expect(shown).toContain("To decide it after all: scouts proposals reopen msg-1");
  expect(await run(later, "proposals", "reopen")).toMatchObject({ code: 2, stdout: "" });
  const open = await run(later, "proposals", "reopen", "--expired", "--json");
  expect(JSON.parse(open.stdout)).toMatchObject([
    { status: "pending", round: 2 },
    { status: "pending", round: 2 },
  ]);
  expect((await run(later, "status")).stdout).not.toContain("nobody decided");
  expect((await run(later, "proposals", "reopen", "--expired")).stdout).toBe(
    "None was closed undecided in the last thirty days.\n",
  );
});
