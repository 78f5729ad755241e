import type { ShownFile } from "../../projects/file-list.ts";
import { toldKeptIfAny } from "../told.ts";

/** A file as a tab is told of it. */
export const toldFile = ({ reason, ...file }: ShownFile) => ({ ...file, reason: toldKeptIfAny(reason) });
