import { describe } from "vitest";
import { breakages } from "./breakages.ts";
import { noticesEach } from "./noticed.ts";
import { runSeed } from "./run.ts";

describe("the simulation can fail: it notices when", () => {
  noticesEach(
    breakages,
    async (seed, { variant, only, source }) =>
      (await runSeed(seed, { variant, ...(only && { only }), ...(source && { source }) })).violations,
    150,
  );
});
