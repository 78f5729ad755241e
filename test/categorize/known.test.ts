import { expect, onTestFinished, test, vi } from "vitest";
import { isSenderKnown } from "../../device/categorize/drain/known-of.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { temporaryStore } from "../device/setting.ts";
import { ada, nowMs } from "./case.ts";

test("13: who is among one's people is known by any of their addresses, in any letters, without reading all of them", () => {
  const store = temporaryStore(undefined, () => nowMs);
  addEntity(store, "person", { name: "Ada", addresses: ["ada@example.org", "Ada.Byron@Work.Example"] }, nowMs);
  addEntity(store, "person", { name: "Nobody", addresses: [] }, nowMs);
  const isKnown = (address: string, n: number) => {
    const proposal = makeProposal(n, { metadata: { ...ada, sender: { name: "", address } } });
    store.proposals.add([proposal]);
    const row = store.proposals.find(proposal.id);
    return row !== undefined && isSenderKnown(store, row);
  };
  const list = vi.spyOn(store.work.person, "list");
  onTestFinished(() => list.mockRestore());
  const addresses = ["ADA@example.org", "ada.byron@work.example", "a@example.org", ""];
  expect(addresses.map(isKnown)).toEqual([true, true, false, false]);
  expect(list).not.toHaveBeenCalled();
});
