import { exitCodes } from "../exit-codes.ts";

/** What can be wrong with tools that the person allows, and with tokens of programs. */
export const toolErrorKinds = {
  tool_unknown: {
    exitCode: exitCodes.unknown,
    sentence: "There is no allowed tool of this name; see: scouts tool list",
  },
  tool_exists: {
    exitCode: exitCodes.settled,
    sentence: "There is a tool of this name already; --replace puts another one in its place.",
  },
  tool_invalid: {
    exitCode: exitCodes.usage,
    sentence: "The tool is not well described; scouts tool allow --help says how it is written.",
  },
  tool_argument_invalid: {
    exitCode: exitCodes.usage,
    sentence: "An argument of the tool is not valid; see: scouts tool list",
  },
  tool_list_unreadable: {
    exitCode: exitCodes.unusable,
    sentence:
      "The list of allowed tools (device/tools.json in the data folder) cannot be read; restore or remove that file.",
  },
  tool_list_unconfirmed: {
    exitCode: exitCodes.unusable,
    sentence:
      "The list of allowed tools was not written by this account with `scouts tool`, so nothing of it is run. Look at it (scouts tool list) and, if it is yours, say so: scouts tool confirm",
  },
  tool_refused: { exitCode: exitCodes.failed, sentence: "The tool was not run." },
  tool_run_unknown: {
    exitCode: exitCodes.unknown,
    sentence: "No run of this id has changes that wait; see: scouts tool changes",
  },
  tool_changes_waiting: {
    exitCode: exitCodes.settled,
    sentence:
      "Too many runs have changes that wait; look at them (scouts tool changes), and bring them in or discard them first.",
  },
  token_unknown: {
    exitCode: exitCodes.unknown,
    sentence: "There is no such token on this device; see: scouts files token list",
  },
  token_exists: {
    exitCode: exitCodes.settled,
    sentence: "There is a token of that name already; choose another name, or revoke it: scouts files token revoke",
  },
} as const;
