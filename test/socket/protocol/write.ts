import { readFileSync, writeFileSync } from "node:fs";
import { asyncApiFile, asyncApiText } from "./asyncapi.ts";
import { documentFile, regenerated } from "./document.ts";

/** `npm run docs:protocol` */
writeFileSync(documentFile, regenerated(readFileSync(documentFile, "utf8")));
writeFileSync(asyncApiFile, asyncApiText());
