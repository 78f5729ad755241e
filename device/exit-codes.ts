/**
 * How every command of `scouts` ends, by name. A code is part of the command line's contract: it may be added, never
 * renumbered. What each means stands in {@link exitMeanings}; the table in docs/device.md is held against it by a test.
 */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  unknown: 3,
  unusable: 4,
  settled: 5,
  attention: 6,
  runLimit: 7,
  quotaUsedUp: 8,
  nothingJudged: 9,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[ExitName];

/** What each exit code says to a person, in the words of `scouts --help` and docs/device.md. */
export const exitMeanings: Readonly<Record<ExitName, string>> = {
  done: "done",
  failed: "failed; the code in parentheses on stderr says how",
  usage: "wrong usage",
  unknown: "no such scout, proposal, item, project, task, event, note, person, fact, change or artifact",
  unusable:
    "data folder or database missing, unusable, locked, full or of a newer version; no home running there; not signed in; a project's folder gone or unreadable",
  settled:
    "the proposal has been decided or closed already; a scout reads that source or has that name already, or reads another account; no folder is linked, it is being scanned, or nothing is known of it; there is nothing to ask; something newer rests on what is to be undone",
  attention:
    "`scouts doctor` or `scouts config check` found something to be done; `scouts audit verify` found a broken trail; `scouts ops erase` left something; changes of a tool wait",
  runLimit: "a question reached a limit of its run: steps, tokens, time or cost",
  quotaUsedUp: "the month's tokens for questions are used up",
  nothingJudged: "the language model cannot be used: nothing was judged or answered",
  interrupted: "interrupted",
};
