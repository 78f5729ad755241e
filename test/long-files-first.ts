import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { SeededRandom } from "./simulation/random.ts";

/** Where files start whole homes, or wait for time limits: each takes many times what others take. */
const long = /^test[\\/](e2e|connectors|contract|privacy|simulation|socket)[\\/]/;

/** In random order by the seed of the run, but what takes long first: at the end no core waits for another's last file. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    const isLong = ({ moduleId }: TestSpecification) => long.test(relative(root, moduleId));
    const mixed = new SeededRandom(sequence.seed).shuffled(files);
    return [...mixed.filter(isLong), ...mixed.filter((file) => !isLong(file))];
  }
}
