import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import { FsRoot } from "./fs-root.ts";
import { FsSearch } from "./fs-search.ts";
import { compileQuery } from "./grep-query.ts";

/** Thread that searches what it is sent; ended by its owner. */
const start = z.object({
  root: z.string(),
  pins: z.boolean(),
  folding: z.object({ foldsCase: z.boolean(), foldsUnicode: z.boolean() }),
  query: z.object({
    pattern: z.string(),
    syntax: z.enum(["literal", "regex"]),
    ignoreCase: z.boolean(),
    contextLines: z.number(),
    maxMatchesPerFile: z.number(),
    maxFileBytes: z.number(),
    maxLineChars: z.number(),
  }),
});
const { root, pins, folding, query } = start.parse(workerData);
const search = new FsSearch(FsRoot.open(root, { pins, folding }), compileQuery(query));
const paths = z.array(z.string());
parentPort?.on("message", (message) => parentPort?.postMessage(search.search(paths.parse(message))));
