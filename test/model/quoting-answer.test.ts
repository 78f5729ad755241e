import { expect, test } from "vitest";
import { contentText } from "../../device/access/present.ts";
import { nextTurn } from "../../infra/model/agent/next-turn.ts";
import { suggestionsTool, workLines } from "../../infra/model/agent/work-lines.ts";

const prompt = (question: string, found: string) =>
  nextTurn({
    model: "built-in",
    messages: [
      { role: "user", content: data('<linked_folder>\nproject prj_1 named "Pump house", 2 files\n</linked_folder>') },
      { role: "user", content: question },
      { role: "assistant", content: "", tool_calls: [call] },
      { role: "tool", content: data(found), tool_call_id: call.id },
    ],
    tools: [],
  });
const data = (text: string) => `<<<DATA 0123456789abcdef text>>>\n${text}\n<<<END 0123456789abcdef>>>`;
const call = { id: "1", type: "function", function: { name: "search_content", arguments: '{"project_id":"prj_1"}' } };
const at = { startLine: 1, endLine: 1, heading: "", score: 3, alsoIn: [] };

const passages = contentText(
  [{ ...at, path: "keys.md", text: "The deposit for a key is 25 euros." }],
  [
    {
      kind: "answer",
      id: "a",
      title: "deposit for a key?",
      atMs: 0,
      text: "The deposit for a key is 20.",
      files: ["keys.md"],
    },
    { kind: "artifact", id: "b", title: "deposit.csv", atMs: 0, text: "key deposit\n12", files: ["keys.md"] },
  ],
);

test.each([
  [{ from: "Ada <ada@example.org>", subject: "The roof" }, 'Ada, "The roof"'],
  [{ subject: "The roof" }, '"The roof"'],
  [{ from: "Ada <ada@example.org>" }, "Ada"],
  [{}, "a message"],
])("a message without a sender or a subject is named by what it has: %j", (said, source) => {
  const result = `2 suggestions\n${JSON.stringify({ ...said, says: ["Tiles come on Friday."] })}`;
  const [line] = workLines([{ name: suggestionsTool, data: {}, result }]);
  expect(line?.source).toBe(source);
});

test.each([
  [{ subject: "Lunch at noon?" }, { source: "Ada", text: "Lunch at noon?", after: "" }],
  [
    { subject: "Appointment", title: "Checkup Dr. Chen", when: "2026-12-04 09:30", place: "Linden street 4" },
    { source: 'Ada, "Appointment"', text: "Checkup Dr. Chen", after: "2026-12-04 09:30, Linden street 4" },
  ],
])("a message without words is quoted by its subject, or by what is to be made of it: %j", (said, line) => {
  const result = `1 suggestion\n${JSON.stringify({ from: "Ada <ada@example.org>", ...said })}`;
  expect(workLines([{ name: suggestionsTool, data: {}, result }])).toEqual([expect.objectContaining(line)]);
});

test("what earlier runs left is quoted as the words of no file", () => {
  expect(prompt("What is the deposit for a key?", passages)).toEqual({
    text: 'This is what the files say about it:\n- keys.md: "The deposit for a key is 25 euros."',
  });
});

test.each([
  ["The driveway has to be empty.", ["the files", "your messages"]],
  ["The pump is emptied on Friday.", ["your messages", "the files"]],
])("what holds more of the question's words stands first: %s", (said, order) => {
  const suggestions = `1 suggestion\n${JSON.stringify({ from: "Ada", subject: "Roof", says: [said] })}`;
  const found = contentText([{ ...at, path: "pump.md", text: "The pump is emptied before the frost." }], []);
  const list = { id: "2", type: "function", function: { name: suggestionsTool, arguments: '{"query":"pump"}' } };
  const turn = nextTurn({
    model: "built-in",
    messages: [
      { role: "user", content: "When is the pump emptied?" },
      { role: "assistant", content: "", tool_calls: [list, call] },
      { role: "tool", content: data(suggestions), tool_call_id: list.id },
      { role: "tool", content: data(found), tool_call_id: call.id },
    ],
    tools: [],
  });
  expect([...JSON.stringify(turn).matchAll(/what (the files|your messages)/g)].map(([, what]) => what)).toEqual(order);
});

test.each(["@Pump house: who mends it?", 'who mends it? @"pump house"'])(
  "the project that a question is put to is not what it asks for: %s",
  (question) => {
    const found = contentText([{ ...at, path: "a.md", text: "The pump house is green.\nBea mends it." }], []);
    expect(prompt(question, found)).toEqual({ text: 'This is what the files say about it:\n- a.md: "Bea mends it."' });
  },
);
