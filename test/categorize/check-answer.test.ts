import { describe, expect, test } from "vitest";
import { checkAnswer } from "../../device/categorize/agent/check-answer.ts";
import type { ItemView, Known } from "../../device/categorize/item-view.ts";
import { categorizeByRules } from "../../device/categorize/rules.ts";
import type { CategorizeAnswer } from "../../events/agent-tools/categorize-answer.ts";
import { ada, garden, item, known } from "./case.ts";

type Change = Partial<Omit<CategorizeAnswer, "draft">> & { readonly draft?: Partial<CategorizeAnswer["draft"]> };

const answer = ({ draft, ...change }: Change): CategorizeAnswer => ({
  category: "task",
  priority: "none",
  due: null,
  projectId: null,
  quotes: [],
  draft: { title: "", note: "", start: null, end: null, place: "", people: [], ...draft },
  ...change,
});

async function checked(view: ItemView, change: Change, here: Known = known()) {
  const rules = await categorizeByRules(view, here);
  return checkAnswer(view, here, rules, answer(change), "agent-categorize@1");
}

const stranger = known({ isSenderKnown: false });

describe("quotes", () => {
  test("stand in the item letter by letter; others are dropped, and that is said", async () => {
    const view = item({ text: "Please water the plants.\nThank you." });
    const { draft } = await checked(view, { quotes: ["Please water the plants.", "Please pay the plants."] });
    expect(draft.quotes).toEqual(["Please water the plants."]);
    expect(draft.dropped).toEqual(["quote_not_found"]);
  });

  test("with other white space are shown as the item has them", async () => {
    const view = item({ text: "Please water\n   the plants today." });
    const { draft } = await checked(view, { quotes: ["water the plants today."] });
    expect(draft.quotes).toEqual(["water\n   the plants today."]);
    expect(draft.dropped).toEqual([]);
  });
});

describe("dates", () => {
  test("that the item names are kept, as a day or a moment", async () => {
    const view = item({ text: "The form closes on 27 November 2026 at 17:00, for everybody." });
    expect((await checked(view, { due: "2026-11-27T17:00:00" })).draft.due).toBe("2026-11-27T16:00:00Z");
    expect((await checked(view, { due: "2026-11-27" })).draft.due).toBe("2026-11-27");
    const tomorrow = await checked(item({ text: "It is tomorrow." }), { due: "2026-11-19" });
    expect(tomorrow.draft.due).toBe("2026-11-19");
  });

  test("may be said as they stand in it, where its writer's clock shows another time", async () => {
    const text = "Please send it by 27 November 2026 at 22:00.";
    const view = item({ text, metadata: { ...ada, sentOffsetMinutes: -300 } });
    for (const due of ["2026-11-27T22:00", "2026-11-28T04:00"]) {
      expect((await checked(view, { due })).draft).toMatchObject({ due: "2026-11-28T03:00:00Z", dropped: [] });
    }
  });

  test.each(["2026-11-28", "2026-02-30", "soon", "", "2026-11-27T09:00"])(
    "that it does not name are not: %s",
    async (due) => {
      const view = item({ text: "The form closes on 27 November 2026." });
      const { draft } = await checked(view, { due });
      const day = due.startsWith("2026-11-27") ? "2026-11-27" : null;
      expect(draft).toMatchObject({ due: day, dropped: ["date_not_found"] });
    },
  );

  test("that a stranger only mentions are none to do something by", async () => {
    const view = item({ text: "The form closes on 27 November 2026." });
    expect((await checked(view, { due: "2026-11-27" }, stranger)).draft).toMatchObject({
      due: null,
      dropped: ["date_not_found"],
    });
    const asks = item({ text: "Please send the form by 27 November 2026." });
    expect((await checked(asks, { due: "2026-11-27" }, stranger)).draft.due).toBe("2026-11-27");
  });

  test("an event begins when the item says, and ends when it says, or an hour later", async () => {
    const view = item({ text: "We meet on 27 November 2026 at 15:00 in the Town Hall, with Bea Lind." });
    const given = { start: "2026-11-27T15:00:00", place: "Town Hall", people: ["Bea Lind", "Eve"] };
    const { category, draft } = await checked(view, { category: "event", draft: given });
    expect(category).toBe("event");
    expect(draft).toMatchObject({ start: "2026-11-27T15:00:00", end: "2026-11-27T16:00:00", zone: "Europe/Berlin" });
    expect(draft).toMatchObject({ place: "Town Hall", people: ["Bea Lind"], dropped: ["detail_not_found"] });
  });

  test("that lie behind when an old item is read stay where they are, and hurry nobody", async () => {
    const sentAt = Date.parse("2021-03-08T09:00:00Z");
    const old = { ...item({}).metadata, sentAt } as ItemView["metadata"];
    const view = item({ text: "We meet on Friday 12 March at 15:00. Bring the plan by tomorrow.", metadata: old });
    const task = await checked(view, { priority: "now", due: "2021-03-09" });
    expect(task).toMatchObject({ category: "task", priority: "none", draft: { due: "2021-03-09" } });
    const event = await checked(view, {
      category: "event",
      priority: "now",
      draft: { start: "2021-03-12T15:00:00" },
    });
    expect(event).toMatchObject({ category: "event", priority: "none", draft: { start: "2021-03-12T15:00:00" } });
  });

  test("an event whose time the item does not name is none", async () => {
    const view = item({ text: "Let us have lunch one day." });
    const { category, draft } = await checked(view, { category: "event", draft: { start: "2026-11-27T12:00:00" } });
    expect(category).not.toBe("event");
    expect(draft).toMatchObject({ start: null, dropped: ["date_not_found"] });
  });
});

describe("projects", () => {
  test("are this device's, and named where the sender may name one", async () => {
    const view = item({ subject: "Hello", text: "The Garden needs water." });
    expect((await checked(view, { projectId: garden })).draft.projectId).toBe(garden);
    for (const [here, projectId] of [
      [stranger, garden],
      [known(), "prj_01KAE00000000000000000N0NE"],
    ] as const) {
      expect((await checked(item({ text: "The Gate." }), { projectId }, here)).draft).toMatchObject({
        projectId: null,
        dropped: ["project_unknown"],
      });
    }
    expect((await checked(view, { projectId: garden }, stranger)).draft.projectId).toBeNull();
  });

  test("news of a project that is none is only to be known", async () => {
    expect((await checked(item({}), { category: "project" })).category).toBe("information");
  });
});

describe("priority", () => {
  test.each([
    ["a stranger without a day", "Act now!", {}, stranger, "none"],
    ["a stranger with a day", "Please pay by 19 November 2026.", { due: "2026-11-19" }, stranger, "later"],
    ["somebody known without a day", "Could you call me?", {}, known(), "later"],
    ["somebody known with a day to do it by", "Please pay by 19 November 2026.", { due: "2026-11-19" }, known(), "now"],
    [
      "somebody known with a day that is only named",
      "It was, or is, 19 November 2026.",
      { due: "2026-11-19" },
      known(),
      "later",
    ],
  ] as const)("of %s is at most %s", async (_, text, change, here, most) => {
    const { priority, draft } = await checked(item({ text }), { priority: "now", ...change }, here);
    expect(priority).toBe(most);
    expect(draft.dropped).toEqual(most === "now" ? [] : ["priority_unfounded"]);
  });

  test("is lowered by a model as it likes", async () => {
    const view = item({ text: "Please pay by 19 November 2026." });
    expect(await checked(view, { priority: "none", due: "2026-11-19" })).toMatchObject({
      priority: "none",
      draft: { dropped: [] },
    });
  });
});

test("what a model writes holds no characters that move a cursor, and says who wrote it", async () => {
  const { draft } = await checked(item({ subject: "Hello" }), {
    draft: { title: "a\u001b[2Jb\u202ec", note: "x\u0007y\nz" },
  });
  expect(draft.title).toBe("a [2Jb c");
  expect(draft.note).toBe("x y\nz");
  expect(draft.by).toBe("agent-categorize@1");
  expect(draft.reasons[0]).toBe("read_by_model");
});
