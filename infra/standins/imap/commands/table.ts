import type { Extension } from "../imap.ts";
import { changeCommands } from "./change.ts";
import type { Command } from "./command.ts";
import { connectionCommands } from "./connection.ts";
import { fetchCommands } from "./fetch.ts";
import { folderCommands } from "./folders.ts";
import { idleCommands } from "./idle.ts";
import { searchCommands } from "./search.ts";
import { selectCommands } from "./select.ts";
import { signInCommands } from "./sign-in.ts";

const commands = new Map<string, Command>(
  [
    connectionCommands,
    signInCommands,
    folderCommands,
    selectCommands,
    fetchCommands,
    searchCommands,
    changeCommands,
    idleCommands,
  ].flatMap(Object.entries),
);

/** Commands that came with an extension: a server without it has never heard of them. */
const ofExtension: Readonly<Record<string, Extension>> = {
  ID: "ID",
  ENABLE: "ENABLE",
  NAMESPACE: "NAMESPACE",
  IDLE: "IDLE",
  MOVE: "MOVE",
  "UID MOVE": "MOVE",
  "UID EXPUNGE": "UIDPLUS",
  UNSELECT: "UNSELECT",
};

/** @param name in upper case */
export function findCommand(name: string, without: ReadonlySet<Extension>): Command | undefined {
  const extension = ofExtension[name];
  return extension !== undefined && without.has(extension) ? undefined : commands.get(name);
}
