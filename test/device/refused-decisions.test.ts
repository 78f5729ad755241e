import { expect, test } from "vitest";
import { runCommand } from "../../cli/program.ts";
import { checkDecisions } from "../../device/doctor/stored/decision-checks.ts";
import { decideProposal, newFrameId } from "../../device/store/decide.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { scoutIsRemoved } from "../../device/store/scout-is-removed.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { makeProposal } from "./fake-cloud.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder } from "./setting.ts";

const idOf = (n: number) => makeProposal(n).id;

/** A device of whose decisions the cloud has refused these, by code. */
function refusing(...codes: readonly ErrorCode[]): string {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  store.proposals.add(codes.map((_, n) => makeProposal(n + 1)));
  for (const [n, code] of codes.entries()) {
    decideProposal(store, idOf(n + 1), "approved", () => newFrameId(systemTimeAndIds.newId));
    const [frame] = store.outbox.waiting(1);
    if (frame !== undefined) store.outbox.refused([frame.id], code);
  }
  store.close();
  return dataFolder;
}

async function scouts(dataFolder: string, ...words: readonly string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
  const context = { io, environment: {}, workingFolder: dataFolder, ...systemTimeAndIds };
  const code = await runCommand([...words, "--data", dataFolder], context, "1");
  return { code, out: stdout.written, err: stderr.written };
}

test("nothing silent: doctor says how many decisions were refused, why, and what to do", () => {
  const dataFolder = refusing("proposal_not_found", "proposal_not_found", "invalid_frame");
  expect(checkDecisions(dataFolder, systemTimeAndIds)).toMatchObject([
    {
      name: "decisions",
      state: "note",
      code: "decisions_unknown",
      detail: expect.stringMatching(/^2 refused .*scout was removed.*\(proposal_not_found\)$/),
      advice: expect.stringContaining(`scouts proposals undo ${idOf(2)} ${idOf(1)}`),
    },
    {
      name: "decisions",
      state: "fail",
      code: "decisions_refused",
      why: { code: "invalid_frame" },
      detail: expect.stringMatching(/^1 refused by the home: .*\. \(invalid_frame\)$/),
      advice: expect.stringContaining(`scouts proposals undo ${idOf(3)}`),
    },
  ]);
});

test("doctor says nothing of decisions where none was refused, or nothing has been kept yet", () => {
  expect(checkDecisions(refusing(), systemTimeAndIds)).toEqual([]);
  expect(checkDecisions(temporaryFolder(), systemTimeAndIds)).toEqual([]);
});

test("nothing silent: status names them too, and what is taken back is named no more", async () => {
  const dataFolder = refusing("proposal_not_found");
  const before = await scouts(dataFolder, "status");
  expect(before.out).toMatch(/^decisions: 1 refused .* \(proposal_not_found\)\. .*`scouts proposals undo /m);
  expect(JSON.parse((await scouts(dataFolder, "status", "--json")).out).outbox).toMatchObject({
    refused: 1,
    refusedDecisions: [{ code: "proposal_not_found", decisions: 1, proposals: [idOf(1)] }],
  });
  const undone = await scouts(dataFolder, "proposals", "undo", idOf(1));
  expect(undone).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^expired {2}.*taken back on this device alone/),
  });
  expect((await scouts(dataFolder, "status")).out).not.toContain("decisions:");
});

test("why a proposal of a removed scout is closed is said, and that it cannot be decided or opened again", async () => {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  store.proposals.add([makeProposal(1), makeProposal(2)]);
  store.proposals.decide(idOf(2), "approved");
  scoutIsRemoved(store, makeProposal(1).scoutId);
  store.close();
  expect((await scouts(dataFolder, "proposals", "show", idOf(1))).out).toMatch(/^status +expired \(scout removed\)$/m);
  for (const words of [
    ["approve", idOf(1)],
    ["snooze", idOf(1), "--until", "2099-01-01"],
    ["reopen", idOf(2)],
  ]) {
    const { code, err } = await scouts(dataFolder, "proposals", ...words);
    expect([code, err], words.join(" ")).toEqual([5, expect.stringContaining("its scout was removed")]);
  }
  const { out } = await scouts(dataFolder, "proposals", "undo", idOf(2));
  expect(out).toContain("Its scout was removed, so it is closed");
});
