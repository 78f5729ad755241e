import type { Command } from "commander";
import type { CliContext, ExitWith } from "../context.ts";
import { addApprovals } from "./approvals.ts";
import { addAudit, addStats } from "./audit.ts";
import { addFiles, addHistory, addOpen, addPatch } from "./files.ts";
import { addMcp } from "./mcp.ts";
import { addRecord } from "./record.ts";
import { addFileTokens } from "./tokens.ts";

/** Everything that lets a person, or a program of theirs, work on a project's files the way language models do. */
export function addFileAccess(program: Command, context: CliContext, exitWith: ExitWith): void {
  const files = addFiles(program, context);
  addOpen(files, context);
  addPatch(files, context);
  addHistory(files, context);
  addRecord(files, context);
  addStats(files, context);
  addFileTokens(files, context);
  addAudit(program, context, exitWith);
  addApprovals(program, context);
  addMcp(program, context);
}
