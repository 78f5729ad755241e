import { readFileSync, writeFileSync } from "node:fs";
import { architectureFile, architectureGraph, withGraph } from "./graph.ts";

writeFileSync(architectureFile, withGraph(readFileSync(architectureFile, "utf8"), architectureGraph()));
