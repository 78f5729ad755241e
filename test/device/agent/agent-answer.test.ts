import { expect, test } from "vitest";
import { answerOn } from "../../../cli/questions/agent-answer.ts";
import type { AskedAgent } from "../../../device/agent/ask-agent.ts";
import type { Evidence } from "../../../device/agent/evidence.ts";
import { projectId, proposalId, runId } from "../../../events/ids.ts";
import { Screen } from "../screen.ts";

const noEvidence: Evidence = { messages: [], quotesHeld: 0, quotes: [], quotesMissing: [] };

const garden = projectId.parse("prj_01JZZZZZZZZZZZZZZZZZZZZZZZ");
const house = projectId.parse("prj_01JZZZZZZZZZZZZZZZZZZZZZZY");

const result = (text: string, paths: readonly string[], evidence = noEvidence): AskedAgent => ({
  runId: runId.parse("run_01JZZZZZZZZZZZZZZZZZZZZZZZ"),
  status: "completed",
  text,
  tokensUsed: 1_234,
  toolCalls: 1,
  prompt: null,
  calls: [
    {
      ...{ action: "read_project_folder_file", data: {}, proposalsRead: [], places: [] },
      filesRead: paths.map((path) => ({ projectId: garden, path })),
    },
  ],
  answerId: null,
  attachments: [],
  notAllRead: [],
  evidence,
});

function shown(isTTY: boolean, work: (answer: ReturnType<typeof answerOn>) => void): string {
  const screen = new Screen();
  work(
    answerOn(
      { stdout: screen, stderr: screen, isTTY, color: false, signal: new AbortController().signal },
      "Europe/Berlin",
    ),
  );
  return screen.written;
}

const about = "\nRead: beds.md, a\ufffdb.md\n1,234 tokens\n";

test.each(["On Thursday.", "On Thursday.\n"])(
  "an answer and what was read for it are apart where stdout and stderr are one place: %j",
  (text) => {
    expect(shown(false, (answer) => answer.finish(result(text, ["beds.md", "a\u001bb.md"])))).toBe(
      `On Thursday.\n${about}`,
    );
  },
);

test("so they are when the answer was streamed", () => {
  const written = shown(true, (answer) => {
    for (const text of ["On ", "Thurs", "day."]) answer.events.text?.({ kind: "append", text });
    answer.finish(result("On Thursday.", ["beds.md", "a\u001bb.md"]));
  });
  expect(written).toBe(`On Thursday.\n${about}`);
});

test("files of several projects are named with theirs", () => {
  const projects = [
    { id: garden, name: "Garden" },
    { id: house, name: "House" },
  ];
  const screen = new Screen();
  const io = { stdout: screen, stderr: screen, isTTY: false, color: false, signal: new AbortController().signal };
  const [call] = result("", ["beds.md"]).calls;
  const calls = projects.flatMap(({ id }) =>
    call === undefined ? [] : [{ ...call, filesRead: [{ projectId: id, path: "beds.md" }] }],
  );
  answerOn(io, "UTC", projects).finish({ ...result("Here.", []), calls });
  expect(screen.written).toBe("Here.\n\nRead: Garden/beds.md, House/beds.md\n1,234 tokens\n");
  const one = { ...result("Here.", []), calls: calls.slice(0, 1) };
  screen.written = "";
  answerOn(io, "UTC", projects).finish(one);
  expect(screen.written).toContain("Read: beds.md\n");
});

test("an answer without files says so", () => {
  expect(shown(false, (answer) => answer.finish(result("Hello.", [])))).toBe(
    "Hello.\n\nNo files were read\n1,234 tokens\n",
  );
});

test("13: the messages an answer rests on are named with the command that shows them, and words that stand nowhere", () => {
  const message = {
    id: proposalId.parse("sct_01JD0000000000000000000003.m-7"),
    ref: "m-7",
    subject: "The\u001broof",
    sender: "Ada",
    atMs: Date.UTC(2026, 10, 20),
    link: null,
  };
  const evidence = { messages: [message], quotesHeld: 1, quotes: [], quotesMissing: ["she never wrote that"] };
  const written = shown(false, (answer) => answer.finish(result("Yes.", [], evidence)));
  expect(written).toContain("From Ada, 2026-11-20: The\ufffdroof  scouts proposals show m-7\n");
  expect(written).toContain('These words stand in nothing that was read: "she never wrote that"\n');
  const ofFeed = { ...message, sender: "", subject: "" };
  const said = shown(false, (answer) => answer.finish(result("Yes.", [], { ...evidence, messages: [ofFeed] })));
  expect(said).toContain("\n2026-11-20: (no subject)  scouts proposals show m-7\n");
});

test.each(["model_rate_limited", "model_unavailable"] as const)(
  "a question that a busy model ended is not said to be asked again by itself: %s",
  (code) => {
    const ended = { ...result("", []), status: "error", code } as const;
    const said = shown(false, (answer) => answer.finish(ended));
    expect(said).toContain("a question has to be asked again");
    expect(said).not.toContain("it is asked again");
  },
);

test("a message an answer rests on is named by its day where the person is", () => {
  const atMs = Date.parse("2026-11-26T23:30:00Z");
  const message = {
    id: proposalId.parse("sct_01JZZZZZZZZZZZZZZZZZZZZZZZ.m1"),
    ref: "m1",
    subject: "Tiles",
    sender: "Ada",
    atMs,
    link: null,
  };
  const evidence = { ...noEvidence, messages: [message] };
  const said = shown(false, (answer) => answer.finish(result("Blue.", [], evidence)));
  expect(said).toContain("From Ada, 2026-11-27: Tiles");
});

test("nothing silent: an answer from folders that are not all read says so, with what to do", () => {
  const of = (isScanning: boolean) => [{ projectId: garden, name: "The\u001bGarden", isScanning }];
  const said = (isScanning: boolean) =>
    shown(false, (answer) => answer.finish({ ...result("Blue.", []), notAllRead: of(isScanning) }));
  expect(said(true)).toMatch(/Not all of The\ufffdGarden has been read yet.* being read now; ask again/);
  expect(said(false)).toMatch(/Not all of The\ufffdGarden has been read yet.*: scouts project rescan /);
});

test.each([
  [
    { action: "artifact_query", data: { id: "thr_1/task_1/call_1.json" } },
    "queried thr_1/task_1/call_1.json, a kept result",
  ],
  [{ action: "recall", data: { query: "keys" } }, 'looked among what it is to remember for "keys"'],
  [{ action: "list_projects", data: {} }, "looked at your projects"],
  [
    { action: "read_project_folder_file", data: { relative_path: "a\u001b.md" }, error: "access_denied" },
    "read a\ufffd.md (came to nothing: your rules let no agent see that)",
  ],
  [
    { action: "of_a_later_version", data: {}, error: "of_then" },
    "was asked for of_a_later_version (came to nothing: of_then)",
  ],
])("steps of an agent and why they came to nothing are said in words: %j", (call, line) => {
  const written = shown(true, (answer) =>
    answer.events.answered?.({ ...call, filesRead: [], proposalsRead: [], places: [] }),
  );
  expect(written).toBe(`${line}\n`);
});
