import { expect, test } from "vitest";
import { featuresOf } from "../../device/proposals/attention/features.ts";
import { learned, sumOf } from "../../device/proposals/attention/learned.ts";

const company = { isSenderKnown: false, isThreadMine: false };
const featuresOfSubject = (rawSubject: string) =>
  featuresOf({ metadata: null, payload: null, category: "information", rawSubject, reasonCode: "other" }, company);
const wordsOf = (subject: string) => featuresOfSubject(subject).filter((each) => each.startsWith("word "));

test.each([
  ["Chinese", "会议日程变更通知", 4],
  ["Japanese", "打ち合わせの日程変更について", 4],
  ["Korean", "회의 일정 변경", 3],
  ["Thai", "แจ้งเปลี่ยนแปลงการประชุม", 4],
  ["Latin letters", "The choir in May, a rehearsal", 4],
  ["Latin letters among Japanese ones", "Zoom会議の日程", 3],
])("a subject in %s is learned from word by word", (_, subject, count) => {
  expect(wordsOf(subject)).toHaveLength(count);
});

test.each([
  ["Chinese", ["会议日程变更通知", "下周会议安排"], ["春季促销开始", "新品促销"], "部门会议纪要", "夏季促销"],
  [
    "Japanese",
    ["打ち合わせの日程", "来週の打ち合わせ"],
    ["春のセール開始", "週末セール情報"],
    "打ち合わせの議事録",
    "夏のセール",
  ],
])("what was approved in %s raises what has a word in common", (_, approved, rejected, alike, other) => {
  const lesson = (isApproved: boolean) => (subject: string) => ({ features: featuresOfSubject(subject), isApproved });
  const weights = learned([...approved.map(lesson(true)), ...rejected.map(lesson(false))]);
  const told = (subject: string) => sumOf(weights, wordsOf(subject));
  expect(told(alike)).toBeGreaterThan(0);
  expect(told(other)).toBeLessThan(0);
});
