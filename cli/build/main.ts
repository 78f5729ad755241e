import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, type Metafile } from "esbuild";
import {
  builtFolder,
  codeOf,
  repositoryRoot,
  type SourceList,
  sourceListName,
} from "../../infra/local/built/built-code.ts";
import { evaluate } from "../../infra/local/graph.ts";
import { homeOptions, programOptions, threadOptions } from "./options.ts";
import { ownSources } from "./own-sources.ts";

/**
 * `npm run build`: makes of the command line and of all that a home runs in threads a few files of plain JavaScript, which load
 * several times as fast as a thousand sources and packages. `cli/launch.js` and the local home run them as long as they
 * are what the sources say.
 */
rmSync(builtFolder, { recursive: true, force: true });
mkdirSync(builtFolder, { recursive: true });
// By the clock that dates the sources.
const startedAtMs = statSync(builtFolder).mtimeMs;

const graph = await evaluate();
const handlers = Object.values(graph.functions).map(({ handler }) => handler.slice(0, handler.lastIndexOf(".")));
const ofHome = [...new Set(handlers), "infra/local/host/thread", "infra/local/evaluation", "sst.config"];

const results = await Promise.all([
  build({ ...homeOptions, entryPoints: ofHome.map((entry) => codeOf(false, entry)) }),
  build(programOptions),
  build(threadOptions),
]);
const files = ownSources(results.map(({ metafile }): Metafile => metafile));
const list: SourceList = {
  startedAtMs,
  files: files.map((file) => [file, statSync(path.join(repositoryRoot, file)).size]),
};
writeFileSync(path.join(builtFolder, sourceListName), JSON.stringify(list));
