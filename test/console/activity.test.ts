import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { accessPath } from "../../device/access/open-access.ts";
import { openProject } from "../../device/access/open-project.ts";
import type { ApprovalQuestion } from "../../device/access/policy/approver.ts";
import { openActivityStore } from "../../device/activity/activity-store.ts";
import { answerWithinMs } from "../../device/activity/approval-table.ts";
import { type ApproverAtClient, waitingApprover } from "../../device/activity/waiting-approver.ts";
import { systemClock } from "../../device/connection/clock.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { ProjectId } from "../../events/ids.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { temporaryFolder } from "../device/setting.ts";
import type { ConsoleHome } from "./console-home.ts";
import { startConsole } from "./setting.ts";

const nobodyThere: ApproverAtClient = { canAsk: () => false, approve: async () => false };
const question: ApprovalQuestion = {
  kind: "write",
  why: "rule",
  action: "write notes.md",
  tool: "write_file",
  caller: "mcp:<b>client</b>/1",
  paths: ["notes.md"],
  reason: "a rule of the project asks for it",
  diff: "--- a\n+++ b\n",
};

const failure = z.object({ error: z.object({ code: z.string(), about: z.string().optional() }) });
const listed = z.object({
  waiting: z.array(z.looseObject({ id: z.string(), diff: z.string().nullable(), project: z.string().nullable() })),
  ended: z.array(z.object({ id: z.string(), state: z.string(), endedBy: z.string().nullable() })),
});

/** Another program of the same data folder, that asks. */
function program(
  home: ConsoleHome,
  { client = nobodyThere, clock = systemClock, isServed = true, root = "/nowhere" } = {},
) {
  const activity = openActivityStore(home.store.dataFolder, { ...systemTimeAndIds, now: () => clock.now() });
  onTestFinished(() => activity.close());
  const { approvals } = activity;
  return { approvals, approver: waitingApprover({ approvals, root, client, isServed: () => isServed, clock }) };
}

async function startActivity() {
  const home = await startConsole({ proposals: [] });
  const token = await home.token();
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await home.ask(method, `/api/activity${path}`, { token, ...(body !== undefined && { body }) });
    return { status: answer.status, body: await answer.json() };
  };
  const approvals = async () => listed.parse((await call("GET", "/approvals")).body);
  const answer = async (id: string, isApproved: boolean) => {
    const { status, body } = await call("PUT", `/approvals/${id}`, { isApproved });
    return status === 200 ? status : [status, failure.parse(body).error.code, failure.parse(body).error.about];
  };
  return { home, token, call, approvals, answer };
}

const firstWaiting = async (approvals: () => Promise<z.infer<typeof listed>>): Promise<string> => {
  await expect.poll(async () => (await approvals()).waiting.length).toBe(1);
  return (await approvals()).waiting[0]?.id ?? "";
};

describe("14: what programs ask a person", () => {
  test("waits in the console with what would change, and is done when it is approved there", async () => {
    const { home, approvals, answer } = await startActivity();
    const { approver } = program(home);
    for (const [isApproved, state] of [
      [true, "approved"],
      [false, "refused"],
    ] as const) {
      const asked = approver.approve(question);
      const id = await firstWaiting(approvals);
      expect((await approvals()).waiting).toMatchObject([{ ...question, diff: question.diff, project: null }]);
      expect(await answer(id, isApproved)).toBe(200);
      expect(await asked).toBe(isApproved);
      expect((await approvals()).ended[0]).toMatchObject({ id, state, endedBy: "console" });
      // Another tab, a little later.
      expect(await answer(id, true)).toEqual([409, "approval_ended", state]);
    }
    expect(await answer("apr_none", true)).toEqual([404, "approval_unknown", undefined]);
    // What would have changed is content, and waits no more.
    for (const ending of ["", "-wal"]) {
      const file = join(home.store.dataFolder, "device", `activity.sqlite${ending}`);
      expect(readFileSync(file, "latin1")).not.toContain("--- a");
    }
    expect(home.problems).toEqual([]);
  });

  test("ends when its client answers, gives up, is killed, or nobody answers in time; the console says which", async () => {
    const { home, approvals, answer } = await startActivity();
    const said = Promise.withResolvers<boolean>();
    const atClient: ApproverAtClient = { canAsk: () => true, approve: () => said.promise };
    const byClient = program(home, { client: atClient, isServed: false }).approver.approve(question);
    const first = await firstWaiting(approvals);
    said.resolve(true);
    expect(await byClient).toBe(true);
    expect(await answer(first, false)).toEqual([409, "approval_ended", "approved"]);

    const left = new AbortController();
    const givenUp = program(home).approver.approve(question, left.signal);
    const second = await firstWaiting(approvals);
    left.abort();
    expect(await givenUp).toBe(false);
    expect(await answer(second, true)).toEqual([409, "approval_ended", "withdrawn"]);

    // A process that ends gives back its lock, and nothing else.
    const { id: third, release } = program(home).approvals.ask("/nowhere", question);
    await firstWaiting(approvals);
    release();
    expect(await answer(third, true)).toEqual([409, "approval_ended", "withdrawn"]);

    const clock = new ManualClock(Date.now());
    const late = program(home, { clock }).approver.approve(question);
    const fourth = await firstWaiting(approvals);
    clock.advance(answerWithinMs + 1_000);
    expect(await late).toBe(false);
    expect(await answer(fourth, true)).toEqual([409, "approval_ended", "expired"]);
  });

  test("a client that fails to ask has refused nothing: it waits in the console, and where none is served it ends at once", async () => {
    const { home, approvals, answer } = await startActivity();
    const failing: ApproverAtClient = { canAsk: () => true, approve: async () => undefined };
    const asked = program(home, { client: failing }).approver.approve(question);
    const id = await firstWaiting(approvals);
    expect(await answer(id, true)).toBe(200);
    expect(await asked).toBe(true);
    expect((await approvals()).ended[0]).toMatchObject({ id, state: "approved", endedBy: "console" });

    expect(await program(home, { client: failing, isServed: false }).approver.approve(question)).toBe(false);
    expect((await approvals()).ended[0]).toMatchObject({ state: "withdrawn", endedBy: null });
  });

  test("of two answers exactly one counts, and where nobody can be asked the answer is no at once", async () => {
    const { home, approvals, answer } = await startActivity();
    const asked = program(home).approver.approve(question);
    const id = await firstWaiting(approvals);
    const { approvals: elsewhere } = program(home);
    const wins = [elsewhere.end(id, "refused", "command"), (await answer(id, true)) === 200];
    expect(wins).toEqual([true, false]);
    expect(await asked).toBe(false);
    expect(await program(home, { isServed: false }).approver.approve(question)).toBe(false);
    expect((await approvals()).waiting).toEqual([]);
  });

  test("is told to every tab that looks, and of a diff without end what a person reads", async () => {
    const { home, token, approvals } = await startActivity();
    const events = await home.ask("GET", "/api/events?after=new", { token });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = "";
    const asked = program(home).approver.approve({ ...question, diff: "+\u202e<script>".repeat(100_000) });
    const id = await firstWaiting(approvals);
    while (!heard.includes('"activity"')) heard += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    const [waiting] = (await approvals()).waiting;
    expect(waiting?.diff?.length).toBe(200_000);
    expect(waiting).toMatchObject({ id });
    program(home).approvals.end(id, "refused", "command");
    expect(await asked).toBe(false);
  });
});

/** A linked folder in which a program has worked. */
async function startWork() {
  const started = await startActivity();
  const folder = realpathSync(temporaryFolder());
  writeFileSync(join(folder, "old.md"), "before\n");
  const { id } = started.home.store.projects.add("Garden");
  started.home.store.projects.link(id, folder);
  const { dataFolder } = started.home.store;
  const work = async (calls: readonly (readonly [string, object])[]) => {
    const project = await openProject({
      ...systemTimeAndIds,
      root: folder,
      dataFolder,
      approver: { approve: async () => true },
    });
    const session = project.access.openSession({ caller: "mcp:editor/1", backend: "review" });
    for (const [tool, args] of calls) await project.access.call(session, tool, args);
    project.close();
    return session.id;
  };
  return { ...started, folder, project: id, work };
}

const write = (path: string, content: string) => ["write_file", { path, content }] as const;
const read = (path: string) => ["read_file", { path, full: true }] as const;

describe("14: the audit trail in the console", () => {
  test("is read by pages over all folders, narrowed, proven, and exported as the command does", async () => {
    const { home, token, call, work, project } = await startWork();
    await work([read("old.md"), write("new.md", "one\n"), ["nonsense<script>", {}]]);
    const { body: about } = await call("GET", "/trails");
    expect(about).toMatchObject({
      trails: [{ id: project, name: "Garden" }],
      callers: ["mcp:editor/1"],
      tools: ["nonsense<script>", "read_file", "write_file"],
    });
    const page = async (filter: object) => {
      const { body } = await call("POST", "/trails/page", filter);
      return z.object({ records: z.array(z.looseObject({ tool: z.string() })), next: z.unknown() }).parse(body);
    };
    expect((await page({})).records.map(({ tool }) => tool)).toEqual(["nonsense<script>", "write_file", "read_file"]);
    expect((await page({ tool: "write_file", trail: project })).records).toMatchObject([
      { outcome: "ok", files: [{ path: "new.md", isChange: true }] },
    ]);
    expect((await page({ caller: "somebody" })).records).toEqual([]);
    expect((await page({ places: { [project]: 2 } })).records).toHaveLength(1);
    expect((await call("POST", `/trails/${project}/verify`)).body).toMatchObject({ ok: true, records: 3 });
    const exported = await (await home.ask("GET", `/api/activity/trails/${project}/export`, { token })).text();
    expect(
      exported
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).seq),
    ).toEqual([1, 2, 3]);
    expect((await call("POST", "/trails/prj_none/verify")).status).toBe(400);
    expect(home.problems).toEqual([]);
  });

  test("says where it is damaged", async () => {
    const { home, call, folder, work, project } = await startWork();
    await work([read("old.md"), write("new.md", "one\n"), read("new.md"), read("old.md")]);
    const damage = (statement: string) => {
      const connection = new DatabaseSync(accessPath(home.store.dataFolder, folder));
      connection.exec(statement);
      connection.close();
    };
    const verdict = async () => (await call("POST", `/trails/${project}/verify`)).body;
    damage("UPDATE audit SET caller = 'somebody' WHERE seq = 2");
    expect(await verdict()).toEqual({ ok: false, seq: 2, reason: "altered" });
    damage("UPDATE audit SET caller = 'mcp:editor/1' WHERE seq = 2");
    expect(await verdict()).toMatchObject({ ok: true });
    damage("DELETE FROM audit WHERE seq = 3");
    expect(await verdict()).toEqual({ ok: false, seq: 3, reason: "missing" });
    damage("DELETE FROM audit WHERE seq = 4");
    expect(await verdict()).toEqual({ ok: false, seq: 3, reason: "cut off" });
  });
});

describe("14: what a run changed", () => {
  const undo = (call: Awaited<ReturnType<typeof startActivity>>["call"], trail: ProjectId, session: string) =>
    call("POST", "/runs/undo", { trail, session });

  test("is put back as it was, all or none, and that is undone the same way", async () => {
    const { call, folder, work, project, home } = await startWork();
    const at = (path: string) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : null);
    const session = await work([
      read("old.md"),
      write("old.md", "first\n"),
      write("old.md", "second\n"),
      write("made.md", "made\n"),
    ]);
    expect([at("old.md"), at("made.md")]).toEqual(["second\n", "made\n"]);
    const { body: runs } = await call("GET", "/runs");
    expect(runs).toMatchObject({
      runs: [{ id: session, trail: project, caller: "mcp:editor/1", changes: 3, calls: 4 }],
    });

    // Somebody else has been at one of the files since.
    writeFileSync(join(folder, "old.md"), "mine\n");
    const refused = await undo(call, project, session);
    expect([refused.status, failure.parse(refused.body).error.code]).toEqual([409, "file_conflict"]);
    expect([at("old.md"), at("made.md")]).toEqual(["mine\n", "made\n"]);

    writeFileSync(join(folder, "old.md"), "second\n");
    expect(await undo(call, project, session)).toMatchObject({ status: 200, body: { files: ["old.md", "made.md"] } });
    expect([at("old.md"), at("made.md")]).toEqual(["before\n", null]);
    const again = await undo(call, project, session);
    expect([again.status, failure.parse(again.body).error.code]).toEqual([409, "file_patch_empty"]);

    const mine = z.object({ runs: z.array(z.object({ id: z.string(), caller: z.string(), changes: z.number() })) });
    const own = mine
      .parse((await call("GET", "/runs")).body)
      .runs.find(({ caller, changes }) => caller === "person" && changes > 0);
    expect(await undo(call, project, own?.id ?? "")).toMatchObject({ status: 200 });
    expect([at("old.md"), at("made.md")]).toEqual(["second\n", "made\n"]);
    expect((await undo(call, project, "acs_none")).status).toBe(409);
    expect(home.problems).toEqual([]);
  });
});
