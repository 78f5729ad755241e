import { readFileSync, writeFileSync } from "node:fs";
import { fleetTables } from "../fleet/paper.ts";
import { settingOf } from "../fleet/scenario.ts";
import { documentFile, measured, regenerated } from "./document.ts";
import { habits } from "./habits.ts";
import { tablesOf } from "./paper.ts";

const { figures } = await settingOf();
const tables = { ...tablesOf(measured(), habits), ...fleetTables(figures) };
writeFileSync(documentFile, regenerated(readFileSync(documentFile, "utf8"), tables));
