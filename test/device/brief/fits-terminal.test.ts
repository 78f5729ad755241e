import { expect, test } from "vitest";
import { runCommand } from "../../../cli/program.ts";
import { emptyDraft } from "../../../device/categorize/draft.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { ada, nowMs, zone } from "../../categorize/case.ts";
import { makeProposal } from "../fake-cloud.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder } from "../setting.ts";

const title = "What the committee has decided about the bridge, the ferry and the road along the river";

test.each([
  [24, 20],
  [40, 30],
  [60, 35],
  [80, 36],
  [120, 70],
])(
  "what waits and what is due fit a terminal of %i columns, %i letters of a title at least; a reason that has no room beside stands below",
  async (columns, least) => {
    const dataFolder = temporaryFolder();
    const now = () => nowMs;
    const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, now });
    store.proposals.add([makeProposal(0, { triagedAt: nowMs - 1_000, metadata: ada })]);
    store.proposals.claim("test", 1, 1_000);
    const reasons = ["deadline" as const, "asked" as const];
    const draft = { ...emptyDraft, title, due: "2026-11-20", reasons };
    store.proposals.categorize(makeProposal(0).id, "test", { category: "task", priority: "soon", draft });
    addEntity(store, "task", { title: `${title}. ${title}`, due: "2026-11-19" }, nowMs);
    store.close();

    const [stdout, stderr] = [new Screen(columns), new Screen(columns)];
    const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
    const context = { ...systemTimeAndIds, io, environment: {}, workingFolder: dataFolder, now, zone: () => zone };
    await runCommand(["brief", "--data", dataFolder], context, "1");

    // Sentences, which come first or last, are broken by the terminal.
    const out = stdout.written;
    const lines = out.slice(out.indexOf("Waiting for you"), out.indexOf("This device does not")).split("\n");
    expect(lines.filter(({ length }) => length > columns)).toEqual([]);
    const words = lines.join("\n");
    expect(words).toContain(title.slice(0, least - 1));
    expect(words).toContain(columns < 60 ? "task: it names a de" : "it names a deadline, it asks for something");
    expect(lines.join("\n")).toContain("The next seven days");
  },
);
