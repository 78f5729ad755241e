import { expect, test } from "vitest";
import { categorizeByRules } from "../../device/categorize/rules.ts";
import { titleOfSubject } from "../../device/categorize/words/subject.ts";
import { item, known } from "./case.ts";

test.each([
  ["[EXTERNAL] RE: Fence", "Fence"],
  ["[EXTERNAL] Fence", "Fence"],
  ["RE: [EXT] Fwd: AW: Fence", "Fence"],
  ["***EXTERNAL*** Fence", "Fence"],
  ["EXTERN: WG: Zaun", "Zaun"],
  ["[External Email] - Fence", "Fence"],
  ["【外部メール】返信：垣根", "垣根"],
  ["Re[2]: Re: Fence", "Fence"],
  ["ΑΠ: Φράχτης", "Φράχτης"],
  ["رد: السياج", "السياج"],
  ["הועבר: גדר", "גדר"],
  ["Vá: Továbbítás: Kerítés", "Kerítés"],
  ["İLT: Çit", "Çit"],
  // Words of its writer's own.
  ["Fence: re-paint it", "Fence: re-paint it"],
  ["[garden] Fence", "[garden] Fence"],
  ["External audit on Friday", "External audit on Friday"],
  ["Externe Prüfung", "Externe Prüfung"],
  ["Residence permit: papers", "Residence permit: papers"],
  // Nothing else is left.
  ["Re:", "Re:"],
  ["[EXTERNAL]", "[EXTERNAL]"],
])("what is made of the mail %j is called %j", (subject, title) => {
  expect(titleOfSubject(subject)).toBe(title);
});

test("a task of a mail is called by its subject without the marks of programs", async () => {
  const subject = "[EXTERNAL] RE: Fence";
  const { category, draft } = await categorizeByRules(
    item({ subject, text: "Please send me the numbers by Friday." }),
    known(),
  );
  expect([category, draft.title]).toEqual(["task", "Fence"]);
});
