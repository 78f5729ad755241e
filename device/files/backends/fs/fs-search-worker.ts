import { parentPort, workerData } from "node:worker_threads";
import { FsRoot } from "./fs-root.ts";
import { FsSearch } from "./fs-search.ts";
import { compileQuery } from "./grep-query.ts";
import type { SearchThreadStart } from "./search-threads.ts";

/** Thread that searches what it is sent; ended by its owner, the only one who can send it anything. */
const { root, pins, folding, query }: SearchThreadStart = workerData;
const search = new FsSearch(FsRoot.open(root, { pins, folding }), compileQuery(query));
parentPort?.on("message", (paths: readonly string[]) => parentPort?.postMessage(search.search(paths)));
parentPort?.postMessage("loaded");
