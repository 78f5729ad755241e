import { expect, test } from "vitest";
import { quick } from "../../rounds.ts";
import { foldersHoldForSeeds } from "./holds-for-seeds.ts";
import { runFolderSeed } from "./run.ts";

foldersHoldForSeeds(1, quick ? 20 : 25);

test("folders: a seed is a whole run", async () => {
  const first = await runFolderSeed(5);
  await runFolderSeed(6);
  expect((await runFolderSeed(5)).fingerprint).toBe(first.fingerprint);
  expect((await runFolderSeed(6)).fingerprint).not.toBe(first.fingerprint);
});
