import { expect, test, vi } from "vitest";
import { runCommand } from "../../cli/program.ts";
import { writeCredentials } from "../../device/connect/credentials.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import { readItem } from "../../device/items/read-item.ts";
import { scoutIsRemoved } from "../../device/store/scout-is-removed.ts";
import { ScoutsError } from "../../events/errors.ts";
import { newId } from "../memory/chance.ts";
import { makeProposal } from "./fake-cloud.ts";
import { Screen } from "./screen.ts";
import { temporaryStore } from "./setting.ts";

const [pending, decided] = [makeProposal(1), makeProposal(2)];

/** A device whose scout was removed when one of its two proposals was decided. */
function withoutScout() {
  const store = temporaryStore();
  store.proposals.add([pending, decided]);
  store.proposals.decide(decided.id, "approved");
  scoutIsRemoved(store, pending.scoutId);
  return store;
}

test.each([
  ["pending", pending.id],
  ["decided", decided.id],
])("of a removed scout nothing is asked of anybody, also of what was %s", async (_, id) => {
  const read = vi.fn(async () => "text");
  await expect(readItem(withoutScout(), id, read)).rejects.toMatchObject({
    code: "item_unknown",
    exact: { about: "scoutRemoved" },
  });
  expect(read).not.toHaveBeenCalled();
});

test("what its home does not know any more is said to be forgotten; any other refusal is what it is", async () => {
  const store = temporaryStore();
  const refused = (code: "proposal_not_found" | "item_gone") =>
    readItem(store, pending.id, async () => {
      throw new ScoutsError(code);
    });
  await expect(refused("proposal_not_found")).rejects.toMatchObject({
    code: "item_unknown",
    exact: { about: "forgotten" },
  });
  await expect(refused("item_gone")).rejects.toMatchObject({ code: "item_gone" });
  expect(await readItem(store, pending.id, async (id) => id)).toBe(pending.id);
});

test("scouts open says of an item of a removed scout that its scout was removed, and where to look", async () => {
  const { dataFolder } = withoutScout();
  writeCredentials(dataFolder, {
    ...{ v: 1, apiUrl: "http://127.0.0.1:1/", issuer: "http://127.0.0.1:1", clientId: "scouts-cli", audience: null },
    ...{ scope: "openid", tokenEndpoint: "http://127.0.0.1:1/token", revocationEndpoint: null },
    ...{ accessToken: "good", expiresAt: Number.MAX_SAFE_INTEGER, refreshToken: null },
  });
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
  const context = { io, environment: {}, workingFolder: dataFolder, now: () => 5, newId };
  const code = await runCommand(["open", pending.sourceMsgRef, "--data", dataFolder], context, "1");
  expect({ code, said: stdout.written }).toEqual({ code: exitCodes.unknown, said: "" });
  expect(stderr.written).toContain(
    "Its scout was removed, so its text cannot be read here any more: look for it at its source. (item_unknown)",
  );
});
