import { describe } from "vitest";
import { noticesEach } from "../noticed.ts";
import { folderBreakages } from "./breakages.ts";
import { runFolderSeed } from "./run.ts";

describe("the simulation of folders can fail: it notices when", () => {
  noticesEach(folderBreakages, async (seed, { variant }) => (await runFolderSeed(seed, { variant })).violations, 60);
});
