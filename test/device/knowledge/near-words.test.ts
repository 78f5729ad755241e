import { expect, test } from "vitest";
import { addEntity } from "../../../device/work/change-entities.ts";
import { settledNow } from "../scanner/setting.ts";
import { indexedFolder } from "./setting.ts";

test("words that may have been meant are those of what the search lets through", async () => {
  const folder = indexedFolder({ "a.md": "# Pump\n\nThe pump is in the shed.", "b.txt": "a pumpkin" });
  await folder.index();
  addEntity(folder.store, "task", { title: "Mend the pump" }, settledNow());
  expect((await folder.find("pumpkan")).near.toSorted()).toEqual(["pump", "pumpkin"]);
  expect((await folder.find("pumpkan kind:txt")).near).toEqual(["pumpkin"]);
  for (const narrow of ["kind:pdf pump", "pump after:2099-01-01", "pump kind:event", "pumpkan kind:pdf"])
    expect(await folder.find(narrow), narrow).toMatchObject({ hits: [], work: [], near: [] });
});
