import { expect, test } from "vitest";
import { fuzzFrames } from "./fuzz-frames.ts";

test("P2: ten thousand bad frames are each answered once, by a code, and change nothing (100,000: npm run bench -- frames)", async () => {
  const { broken, kinds, answers } = await fuzzFrames(10_000, 7);
  expect(broken).toEqual([]);
  expect(Object.values(kinds).every((count) => count > 10)).toBe(true);
  expect(Object.keys(answers).sort()).toEqual([
    "forbidden",
    "invalid_frame",
    "pong",
    "proposal_not_found",
    "protocol_unsupported",
    "scout_not_found",
    "unknown_frame",
  ]);
});
