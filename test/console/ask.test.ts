import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { AskedAgent } from "../../device/agent/ask-agent.ts";
import type { AgentEvents } from "../../device/agent/run-agent.ts";
import { answerLines, shownOfAnswer } from "../../device/console/ask/answer-lines.ts";
import type { AskLine } from "../../device/console/ask/contract.ts";
import { setPrice } from "../../device/usage/price.ts";
import { type ProjectId, runId } from "../../events/ids.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { temporaryFolder } from "../device/setting.ts";
import { askedCloud } from "./asked-cloud.ts";
import type { ConsoleHome } from "./console-home.ts";
import { startConsole } from "./setting.ts";

/** A home with a linked folder that has been read, as far as a question needs it. */
async function homeWithFolder(files: Readonly<Record<string, string>>) {
  const home = await startConsole({ proposals: [], held: [makeProposal(1)] });
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { id } = home.store.projects.add("Garden");
  home.store.projects.link(id, folder);
  return { home, folder, project: id, token: await home.token() };
}

async function linesOf(answer: Response): Promise<AskLine[]> {
  const text = await answer.text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const listing = z.object({
  total: z.number(),
  conversations: z.array(z.object({ id: z.string(), title: z.string(), exchanges: z.number() })),
});
const failure = z.object({ error: z.object({ code: z.string(), about: z.string().optional() }) });

const post = async (home: ConsoleHome, token: string, path: string, body: unknown) => {
  const answer = await home.ask("POST", path, { token, body });
  return { status: answer.status, body: await answer.json() };
};

describe("14: a question in the console", () => {
  test("17: takes files of its project and pages along, says what it did not, and starts no program", async () => {
    const { home, project, token } = await homeWithFolder({ "beds.md": "The north bed.\n", ".env": "NAME=value\n" });
    const cloud = askedCloud(home, [{ calls: [["read_attachments", {}]] }, { says: ["Done."] }]);
    const attachments = ["beds.md", ".env", "https://example.org/page", "tool:test", "/etc/hostname"];
    const body = { text: "What is this?", projectId: project, attachments };
    const lines = await linesOf(await home.ask("POST", "/api/ask", { token, body }));
    const end = lines.find((line) => line.type === "end")?.end;
    expect(end?.attachments.map(({ name, outcome, code }) => [name, code ?? outcome])).toEqual([
      ["beds.md", "attached"],
      [".env", "attachment_denied"],
      ["https://example.org/page", "attached"],
      ["tool:test", "attachment_invalid"],
      ["/etc/hostname", "attachment_denied"],
    ]);
    expect(cloud.questions().at(-1)).toMatchObject({ attached: 5 });
    const refused = await post(home, token, "/api/ask", { text: "And?", projectId: project, attachments: [".env"] });
    expect([refused.status, failure.parse(refused.body).error.code]).toEqual([403, "attachment_denied"]);
  });

  test("is answered as it comes, says what was looked up and where each quotation stands, and is kept", async () => {
    const { home, project, token } = await homeWithFolder({
      "beds.md": "# Beds\n\nThe north bed\ngets tomatoes in May.\n",
    });
    const cloud = askedCloud(home, [
      { calls: [["read_lines", { project_id: project, path: "beds.md", startLine: 1, endLine: 4 }]] },
      { says: ['It says "The north bed ', 'gets tomatoes in May", and "nobody ever said that".'] },
    ]);
    const asked = await home.ask("POST", "/api/ask", { token, body: { text: "What is in the north bed?" } });
    expect(asked.headers.get("content-type")).toContain("application/x-ndjson");
    const lines = await linesOf(asked);
    expect(lines.find(({ type }) => type === "step")).toMatchObject({
      step: {
        action: "read_lines",
        about: "beds.md",
        fromLine: 1,
        toLine: 4,
        error: null,
        places: [{ projectId: project, path: "beds.md", line: 1 }],
      },
    });
    const text = lines.map((line) => (line.type === "text" ? line.text : "")).join("");
    expect(text).toBe('It says "The north bed gets tomatoes in May", and "nobody ever said that".');
    const end = lines.at(-1);
    expect(end).toMatchObject({
      type: "end",
      end: {
        status: "completed",
        tokens: 120,
        isCut: false,
        evidence: {
          quotes: [
            {
              text: "The north bed gets tomatoes in May",
              place: { kind: "file", projectId: project, path: "beds.md", line: 3 },
            },
          ],
          quotesMissing: ["nobody ever said that"],
        },
      },
    });

    // What it cost is said once somebody has said a price.
    expect(end).toMatchObject({ end: { charge: null } });
    setPrice(home.store, { perMillion: "5", currency: "EUR" });

    // It survives the tab, and is gone on from.
    const listed = listing.parse((await post(home, token, "/api/ask/conversations", {})).body);
    expect(listed).toMatchObject({ total: 1, conversations: [{ title: "What is in the north bed?", exchanges: 1 }] });
    const id = listed.conversations[0]?.id;
    cloud.script([{ says: ["In May."] }]);
    const more = await linesOf(await home.ask("POST", "/api/ask", { token, body: { text: "And when?", follows: id } }));
    expect(more.at(-1)).toMatchObject({ end: { charge: { amount: expect.closeTo(0.0006), currency: "EUR" } } });
    expect(cloud.questions().at(-1)?.earlier).toBeDefined();
    const after = listing.parse((await post(home, token, "/api/ask/conversations", {})).body);
    expect(after.conversations).toMatchObject([{ title: "What is in the north bed?", exchanges: 2 }]);
    const last = after.conversations[0]?.id;
    const conversation = await home.ask("GET", `/api/ask/conversations/${last}`, { token });
    expect(await conversation.json()).toMatchObject({
      exchanges: [{ question: "What is in the north bed?" }, { question: "And when?", answer: "In May." }],
    });
    const gone = await home.ask("DELETE", `/api/ask/conversations/${last}`, { token });
    expect(await gone.json()).toEqual({ forgotten: 2 });
    expect((await home.ask("GET", `/api/ask/conversations/${last}`, { token })).status).toBe(404);
    expect(home.problems).toEqual([]);
  });

  test("is refused before anything is asked, each time with its code", async () => {
    const home = await startConsole({ proposals: [] });
    const cloud = askedCloud(home, []);
    const token = await home.token();
    const refused = async (body: unknown) => {
      const { status, body: said } = await post(home, token, "/api/ask", body);
      const { error } = failure.parse(said);
      return [status, error.code, error.about];
    };
    expect(await refused({ text: "Anything?" })).toEqual([409, "nothing_to_ask", undefined]);
    expect(await refused({ text: "  " })).toEqual([400, "usage", "question"]);
    expect(await refused({ text: "x".repeat(8_001) })).toEqual([400, "invalid_request", undefined]);
    expect(await refused({ text: "@Nowhere what?" })).toEqual([404, "project_unknown", undefined]);
    expect(await refused({ text: "And?", follows: "ans_none" })).toEqual([404, "answer_unknown", undefined]);
    const { id } = home.store.projects.add("Garden");
    expect(await refused({ text: "And?", projectId: id })).toEqual([404, "folder_not_linked", undefined]);
    home.store.projects.link(id, temporaryFolder());
    expect(await refused({ text: "And?", projectId: id })).toEqual([409, "folder_empty", undefined]);
    expect((await home.ask("POST", "/api/ask", { body: { text: "Anything?" } })).status).toBe(401);
    expect(cloud.questions()).toEqual([]);
  });

  test("ends with the tab that asked it, and nothing of it is kept", async () => {
    const { home, token } = await homeWithFolder({});
    const cloud = askedCloud(home, [{ says: ["It begins", undefined] }]);
    const tab = new AbortController();
    const answer = await fetch(`${home.served.origin}/api/ask`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ text: "What?" }),
      signal: tab.signal,
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    tab.abort();
    await expect.poll(() => cloud.cancelled()).toBe(1);
    expect(home.store.answers.list()).toEqual([]);
  });

  test("that is cancelled, refused or fails says how, with the code", async () => {
    const { home, token } = await homeWithFolder({});
    const cloud = askedCloud(home, [{ ends: { status: "quota_exceeded", code: "quota_exceeded" } }]);
    const ended = async () =>
      (await linesOf(await home.ask("POST", "/api/ask", { token, body: { text: "What?" } }))).at(-1);
    expect(await ended()).toMatchObject({ type: "end", end: { status: "quota_exceeded", answerId: null } });
    cloud.script([{ refuses: "quota_exceeded" }]);
    expect(await ended()).toMatchObject({ type: "failed", error: { code: "quota_exceeded" } });
    expect(home.problems).toEqual([]);
  });

  test("that is hostile is text as it stands, and no more of it than a person reads", async () => {
    const { home, token } = await homeWithFolder({});
    const piece = "<script>x</script>\u202e ".repeat(1_000);
    askedCloud(home, [{ says: Array.from({ length: 12 }, () => piece) }]);
    const lines = await linesOf(await home.ask("POST", "/api/ask", { token, body: { text: "What?" } }));
    let shown = "";
    for (const line of lines) {
      if (line.type === "text") shown = line.kind === "append" ? shown + line.text : line.text;
      expect(shown.length).toBeLessThanOrEqual(shownOfAnswer);
    }
    expect(shown).toBe(piece.repeat(12).slice(0, 50_000));
  });
});

describe("14: what was answered before", () => {
  test("is one conversation for each last answer; forgetting one leaves what another goes on from", async () => {
    const home = await startConsole({ proposals: [] });
    const token = await home.token();
    const add = (question: string, follows: string | null) =>
      home.store.answers.add({ follows, projectId: null, question, answer: `${question}!`, files: [] }).id;
    const root = add("Where?", null);
    const left = add("And when?", root);
    const right = add("And who?", root);
    const { conversations } = listing.parse((await post(home, token, "/api/ask/conversations", {})).body);
    expect(conversations.map(({ id, title, exchanges }) => [id, title, exchanges])).toEqual([
      [right, "Where?", 2],
      [left, "Where?", 2],
    ]);
    const forget = async (id: string) => (await home.ask("DELETE", `/api/ask/conversations/${id}`, { token })).json();
    expect(await forget(left)).toEqual({ forgotten: 1 });
    expect(home.store.answers.list().map(({ id }) => id)).toEqual([right, root]);
    expect(await forget(right)).toEqual({ forgotten: 2 });
    expect(home.store.answers.list()).toEqual([]);
  });
});

const nothing: AskedAgent = {
  runId: runId.parse("run_01JZZZZZZZZZZZZZZZZZZZZZZZ"),
  status: "completed",
  text: "",
  tokensUsed: 1,
  toolCalls: 0,
  prompt: null,
  calls: [],
  answerId: null,
  attachments: [],
  notAllRead: [],
  evidence: { messages: [], quotesHeld: 0, quotes: [], quotesMissing: [] },
};

describe("14: the stream of an answer", () => {
  function streamed() {
    const clock = new ManualClock();
    const over = Promise.withResolvers<AskedAgent>();
    const tab = new AbortController();
    let tell: Partial<AgentEvents> = {};
    const problems: unknown[] = [];
    const lines = answerLines({
      charge: () => null,
      clock,
      signal: tab.signal,
      onProblem: (error) => problems.push(error),
      run(events) {
        tell = events;
        return over.promise;
      },
    });
    return { clock, over, tab, problems, lines, text: (text: string) => tell.text?.({ kind: "append", text }) };
  }

  test("says that the device is there while nothing comes, and goes on after it", async () => {
    const { clock, over, lines, text } = streamed();
    const first = lines.next();
    await new Promise(setImmediate);
    clock.advance(15_000);
    expect((await first).value).toEqual({ type: "beat" });
    const next = lines.next();
    text("It");
    expect((await next).value).toMatchObject({ text: "It" });
    over.resolve(nothing);
    expect((await lines.next()).value).toMatchObject({ type: "end" });
    expect((await lines.next()).done).toBe(true);
  });

  test("14: of 200 MB a tab that does not read holds no more than is shown", async () => {
    const { over, lines, text } = streamed();
    const first = lines.next();
    const megabyte = "x".repeat(1_000_000);
    for (let at = 0; at < 200; at++) text(megabyte);
    over.resolve(nothing);
    const held = [(await first).value];
    for await (const line of lines) held.push(line);
    expect(JSON.stringify(held).length).toBeLessThan(shownOfAnswer + 1_000);
    expect(held.at(-1)).toMatchObject({ type: "end", end: { isCut: true } });
  });

  test("tells a tab of a defect only that there was one, and its owner which", async () => {
    const { over, lines, problems } = streamed();
    const defect = new TypeError("the words of a letter");
    over.reject(defect);
    const told = (await lines.next()).value;
    expect(told).toMatchObject({ type: "failed", error: { code: "internal" } });
    expect(JSON.stringify(told)).not.toContain("letter");
    expect(problems).toEqual([defect]);
  });
});

describe("14: the lines around a place", () => {
  const text = Array.from({ length: 300 }, (_, at) => `line ${at + 1}`).join("\n");
  const at = async (home: ConsoleHome, token: string, projectId: ProjectId, path: string, line: number) =>
    post(home, token, "/api/ask/place", { projectId, path, line });

  test("are those of the file now, without what rules withhold", async () => {
    const { home, folder, project, token } = await homeWithFolder({
      "long.txt": text,
      "short.md": "one\r\ntwo\r\n",
      ".env": "KEY=1",
      "dot.png": "\x89PNG",
      "secret.md": "hidden",
      ".scoutsignore": "secret.md\n",
    });
    const { body } = await at(home, token, project, "long.txt", 150);
    expect(body).toMatchObject({ project: "Garden", path: "long.txt", line: 150, firstLine: 130, isExtracted: false });
    const { lines } = z.object({ lines: z.array(z.string()) }).parse(body);
    expect([lines.length, lines[20]]).toEqual([81, "line 150"]);
    // It has become shorter since.
    expect((await at(home, token, project, "short.md", 90)).body).toMatchObject({
      firstLine: 1,
      lines: ["one", "two"],
    });
    const refused = async (path: string) => {
      const { status, body: said } = await at(home, token, project, path, 1);
      return [status, failure.parse(said).error.code];
    };
    expect(await refused("gone.md")).toEqual([404, "file_not_found"]);
    for (const path of [".env", "secret.md", "../outside.md", `${folder}/short.md`, "a\0b"])
      expect(await refused(path), path).toEqual([403, "file_denied"]);
    expect(await refused("dot.png")).toEqual([409, "file_binary_file"]);
    expect(home.problems).toEqual([]);
  });
});
