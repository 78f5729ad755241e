import { describe } from "vitest";
import { noticesEach } from "../noticed.ts";
import { breakages } from "./breakages.ts";
import { runWorkSeed } from "./run.ts";

describe("the simulation of work can fail: it notices when", () => {
  noticesEach(breakages, async (seed, { variant }) => (await runWorkSeed(seed, { variant })).violations, 60);
});
