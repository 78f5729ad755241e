import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quick, rounds, seeds, whole } from "../../rounds.ts";
import { servedClient } from "../mcp-client.ts";
import { temporaryFolder } from "../setting.ts";
import { unaccounted } from "./account.ts";
import { killableServer } from "./killable-server.ts";
import { prepareFolder, runScriptedClient, type Serving } from "./scripted-client.ts";

async function accounted(seed: number, operations: number, start: (root: string, data: string) => Promise<Serving>) {
  const [root, dataFolder] = [temporaryFolder(), temporaryFolder()];
  prepareFolder(root);
  const done = await runScriptedClient(root, { seed, operations, start: () => start(root, dataFolder) });
  const { problems, records } = await unaccounted(root, dataFolder, done);
  // That the account can fail: one byte that nobody recorded.
  const [path = ""] = done.toldPaths;
  appendFileSync(join(root, path), "x");
  expect((await unaccounted(root, dataFolder, done)).problems).toEqual([
    `${path} is not what a replay of the trail gives`,
  ]);
  return { problems: [...done.problems, ...problems], records, counts: done.counts };
}

const operationsPerSeed = rounds(500);

test.each(seeds([1, 2]))(
  "17: operations with stale hashes, forbidden paths and others' changes: the trail replayed is the tree (seed %i)",
  async (seed) => {
    const { problems, records } = await accounted(seed, operationsPerSeed, async (root, dataFolder) => {
      const { call, end } = await servedClient({ root, dataFolder });
      return { call: async (name, args) => (await call(name, { ...args })).whole, end };
    });
    expect(problems).toEqual([]);
    expect(records).toBeGreaterThan(operationsPerSeed);
  },
);

/** Ten thousand take minutes: node test/access/mcp-operations/run.ts */
const operations = whole ? 600 : 300;

test.skipIf(quick)(
  `17: ${operations} operations over MCP, with a server that is killed: no byte is lost, and the trail replayed is the tree`,
  { timeout: 600_000 },
  async () => {
    const { problems, counts } = await accounted(17, operations, killableServer);
    expect(problems).toEqual([]);
    expect(counts["killed"]).toBeGreaterThan(0);
    for (const each of ["apply_patch ok", "write_file ok", "rollback ok", "apply_patch conflict"]) {
      expect(counts[each], each).toBeGreaterThan(operations / 120);
    }
  },
);
