import { expect, test } from "vitest";
import { quick, whole } from "../rounds.ts";
import { proveCuts } from "./prove-cuts.ts";
import { proveStorm } from "./prove-storm.ts";

const timeoutMs = 240_000;
const [proposals, wantedCuts, devicesEach] = whole ? [500, 30, 10] : [40, 3, 3];

test(
  `P2: ${proposals} open proposals are exactly once each on two devices although connections are cut ${wantedCuts} times (10,000 and a hundred: npm run bench -- delivery)`,
  async () => {
    const { cuts, devices, problems } = await proveCuts({ proposals, cuts: wantedCuts, seed: 1 });
    expect(cuts).toBeGreaterThanOrEqual(wantedCuts);
    expect(problems["connection_lost"]).toBeGreaterThanOrEqual((wantedCuts * 2) / 3);
    // Which device a cut hits is chance.
    expect(devices.reduce((sum, { connections }) => sum + connections, 0)).toBeGreaterThan(devices.length);
    for (const { connections: _, ...account } of devices) {
      expect(account).toEqual({
        rows: proposals,
        distinct: proposals,
        missing: 0,
        wrongSubject: 0,
        notToldOnce: 0,
        outboxWaiting: 0,
        outboxRefused: 0,
        notAcked: 0,
      });
    }
  },
  timeoutMs,
);

test.skipIf(quick)(
  `P2: ${4 * devicesEach} devices of four people connect at once and none misses a proposal or gets another person's (500: npm run bench -- delivery)`,
  async () => {
    const { devices, lost, foreign, notAcked } = await proveStorm({
      people: 4,
      devicesEach,
      proposalsEach: 4,
      seed: 1,
    });
    expect({ devices, lost, foreign, notAcked }).toEqual({
      devices: 4 * devicesEach,
      lost: 0,
      foreign: 0,
      notAcked: 0,
    });
  },
  timeoutMs,
);
