import { expect, test } from "vitest";
import { answerOn } from "../../../cli/questions/agent-answer.ts";
import type { AgentRunResult } from "../../../device/agent/run-agent.ts";
import { runId } from "../../../events/ids.ts";
import { Screen } from "../screen.ts";

const result = (text: string, filesRead: readonly string[]): AgentRunResult => ({
  runId: runId.parse("run_01JZZZZZZZZZZZZZZZZZZZZZZZ"),
  status: "completed",
  text,
  tokensUsed: 1_234,
  toolCalls: 1,
  prompt: null,
  calls: [{ action: "read_project_folder_file", data: {}, filesRead }],
});

function shown(isTTY: boolean, work: (answer: ReturnType<typeof answerOn>) => void): string {
  const screen = new Screen();
  work(answerOn({ stdout: screen, stderr: screen, isTTY, color: false, signal: new AbortController().signal }));
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

test("an answer without files says so", () => {
  expect(shown(false, (answer) => answer.finish(result("Hello.", [])))).toBe(
    "Hello.\n\nNo files were read\n1,234 tokens\n",
  );
});
