import { readFileSync, writeFileSync } from "node:fs";
import { documentFile, measured, regenerated } from "./document.ts";

writeFileSync(documentFile, regenerated(readFileSync(documentFile, "utf8"), measured()));
