import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { unaccounted } from "./account.ts";
import { killableServer } from "./killable-server.ts";
import { prepareFolder, runScriptedClient } from "./scripted-client.ts";

/** `node test/access/mcp-operations/run.ts <seed> <operations>`: as the test, for other seeds and by hand. */
const [seed = "1", operations = "10000"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "scouts-operations-"));
const [root, dataFolder] = [join(folder, "root"), join(folder, "data")];
prepareFolder(root);
const start = () => killableServer(root, dataFolder);
const began = performance.now();
const done = await runScriptedClient(root, { seed: Number(seed), operations: Number(operations), start });
const account = await unaccounted(root, dataFolder, done);
const problems = [...done.problems, ...account.problems];
const seconds = Math.round((performance.now() - began) / 100) / 10;
process.stdout.write(`${JSON.stringify({ seed, problems, records: account.records, seconds, counts: done.counts })}\n`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = problems.length > 0 ? 1 : 0;
