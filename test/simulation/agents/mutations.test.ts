import { describe } from "vitest";
import { noticesEach } from "../noticed.ts";
import { breakages } from "./breakages.ts";
import { runAgentSeed } from "./run.ts";

describe("the simulation of runs can fail: it notices when", () => {
  noticesEach(breakages, async (seed, { variant }) => (await runAgentSeed(seed, { variant })).violations, 60);
});
