import { expect, test } from "vitest";
import { editsOnDisk } from "./disk-edits.ts";
import { lostUpdates } from "./interleaving.ts";

test("no update of two writers is lost, whatever the order (1,000 orders: node test/access/prove.ts interleave)", async () => {
  const lost: string[] = [];
  for (let seed = 1; seed <= 60; seed++) lost.push(...(await lostUpdates(seed)));
  expect(lost).toEqual([]);
});

test("edits on a disk keep bytes, mode and links (20,000 of them: node test/access/prove.ts edits)", async () => {
  expect(await editsOnDisk(150, 3)).toEqual({ edits: 150, complaints: [] });
});
