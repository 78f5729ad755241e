import { parseArgs } from "node:util";
import { fuzzFrames } from "../../socket/fuzz-frames.ts";

const shownFailures = 10;

/** `npm run bench -- frames [--frames N] [--seed N] [--json]`: bad frames at full number. Exit code 1 when one did harm. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      frames: { type: "string", default: "100000" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
    },
  });
  const proof = await fuzzFrames(Number(values.frames), Number(values.seed));
  const { frames, ms, kinds, answers, broken } = proof;
  if (values.json) console.log(JSON.stringify({ seed: Number(values.seed), ...proof }));
  else {
    const list = (counts: Readonly<Record<string, number>>) =>
      Object.entries(counts)
        .map(([name, count]) => `${name} ${count}`)
        .join(", ");
    console.log(
      `frames: ${frames} bad frames (seed ${values.seed}) in ${(ms / 1000).toFixed(1)} s, ${broken.length} did harm`,
    );
    console.log(`        kinds: ${list(kinds)}`);
    console.log(`        answers: ${list(answers)}`);
    for (const failure of broken.slice(0, shownFailures)) console.log(`        ${JSON.stringify(failure)}`);
  }
  return broken.length === 0 ? 0 : 1;
}
