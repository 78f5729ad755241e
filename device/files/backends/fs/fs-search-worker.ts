import { parentPort, workerData } from "node:worker_threads";
import { compileQuery } from "../../grep/grep-query.ts";
import type { SearchThreadStart } from "../../grep/search-threads.ts";
import { FsRoot } from "./fs-root.ts";
import { FsSearch } from "./fs-search.ts";

/** Thread that searches what it is sent; ended by its owner, the only one who can send it anything. */
const { root, pins, folding, query }: SearchThreadStart = workerData;
const search = new FsSearch(FsRoot.open(root, { pins, folding }), compileQuery(query));
parentPort?.on("message", (paths: readonly string[]) => parentPort?.postMessage(search.search(paths)));
parentPort?.postMessage("loaded");
