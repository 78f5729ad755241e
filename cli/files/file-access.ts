import type { Command } from "commander";
import { addAudit, addStats } from "./audit.ts";
import type { CliContext } from "../context.ts";
import { addFiles, addHistory, addOpen, addPatch } from "./files.ts";
import { addMcp } from "./mcp.ts";

/** Everything that lets a person, or a program of theirs, work on a project's files the way language models do. */
export function addFileAccess(program: Command, context: CliContext, exitWith: (code: number) => void): void {
  addFiles(program, context);
  addOpen(program, context);
  addPatch(program, context);
  addHistory(program, context);
  addAudit(program, context, exitWith);
  addStats(program, context);
  addMcp(program, context);
}
