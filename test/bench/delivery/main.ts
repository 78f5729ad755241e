import { parseArgs } from "node:util";
import { type CutsProof, proveCuts } from "../../socket/prove-cuts.ts";
import { proveStorm, type StormProof } from "../../socket/prove-storm.ts";

const seconds = (ms: number) => (ms / 1000).toFixed(1);
/** What must be nothing for the promise to hold. */
const faults = ["missing", "wrongSubject", "notToldOnce", "outboxWaiting", "outboxRefused", "notAcked"] as const;

function cutsHold({ devices }: CutsProof, proposals: number): boolean {
  return devices.every(
    (device) =>
      device.rows === proposals && device.distinct === proposals && faults.every((fault) => device[fault] === 0),
  );
}

function stormHolds({ lost, foreign, notAcked }: StormProof): boolean {
  return lost + foreign + notAcked === 0;
}

/**
 * `npm run bench -- delivery [--proposals N] [--cuts N] [--people N] [--devices N] [--seed N] [--json]`: delivery that
 * survives anything, at full size. Exit code 1 when something was lost or came twice.
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      proposals: { type: "string", default: "10000" },
      cuts: { type: "string", default: "100" },
      people: { type: "string", default: "25" },
      devices: { type: "string", default: "20" },
      each: { type: "string", default: "8" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
    },
  });
  const seed = Number(values.seed);
  const proposals = Number(values.proposals);
  const storm = await proveStorm({
    people: Number(values.people),
    devicesEach: Number(values.devices),
    proposalsEach: Number(values.each),
    seed,
  });
  const cuts = await proveCuts({ proposals, cuts: Number(values.cuts), seed });
  const holds = { storm: stormHolds(storm), cuts: cutsHold(cuts, proposals) };
  if (values.json) console.log(JSON.stringify({ seed, holds, storm, cuts }));
  else {
    console.log(
      `storm: ${storm.devices} devices at once, ${values.each} proposals each, ${seconds(storm.ms)} s, ${storm.retries} retries; ` +
        `${storm.lost} lost, ${storm.foreign} foreign, ${storm.notAcked} not acked: ${holds.storm ? "holds" : "BROKEN"}`,
    );
    console.log(`       ${JSON.stringify(storm.failures)}`);
    const perSecond = ((proposals * cuts.devices.length * 1000) / cuts.ms).toFixed(0);
    console.log(
      `cuts:  ${proposals} proposals on ${cuts.devices.length} devices, ${cuts.cuts} cuts, ${seconds(cuts.ms)} s (${perSecond} deliveries/s), ` +
        `${cuts.websocketRequests} WebSocket requests: ${holds.cuts ? "holds" : "BROKEN"}`,
    );
    console.log(`       ${JSON.stringify(cuts.problems)}`);
    for (const device of cuts.devices) console.log(`       ${JSON.stringify(device)}`);
  }
  return holds.storm && holds.cuts ? 0 : 1;
}
