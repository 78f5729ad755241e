import { ProjectFilesError } from "../errors.ts";
import { IgnoreRules } from "../walk/ignore-rules.ts";

const maxBraceAlternatives = 256;

/** Chooses files by extension and path patterns; undefined when every file is wanted. */
export function pathFilter(
  options: { extensions?: readonly string[]; globs?: readonly string[] },
  foldCase: boolean,
): ((path: string, name: string) => boolean) | undefined {
  const extensions = options.extensions?.map((extension) => `.${extension.replace(/^\./, "").toLowerCase()}`);
  const globs = options.globs ?? [];
  if (extensions === undefined && globs.length === 0) return undefined;
  // All patterns in one set of rules: most are names and extensions, which are looked up rather than tried in turn.
  const choosing = globRules(
    globs.filter((glob) => !glob.startsWith("!")),
    foldCase,
  );
  const excluding = globRules(
    globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)),
    foldCase,
  );
  const isChosen = chooser(choosing);
  const isExcluded = chooser(excluding);
  return (path, name) => {
    if (extensions !== undefined) {
      const lowered = name.toLowerCase();
      if (!extensions.some((extension) => lowered.endsWith(extension))) return false;
    }
    if (choosing.size > 0 && !isChosen(path, name)) return false;
    return excluding.size === 0 || !isExcluded(path, name);
  };
}

/** A glob chooses a file, or a directory with all that lies in it. Files come directory by directory: one is remembered. */
function chooser(rules: IgnoreRules): (path: string, name: string) => boolean {
  let known = { directory: "", isChosen: false };
  return (path, name) => {
    const directory = path.slice(0, Math.max(0, path.length - name.length - 1));
    if (directory !== known.directory) known = { directory, isChosen: choosesDirectory(rules, directory) };
    return known.isChosen || rules.verdict(path, name, false) === true;
  };
}

function choosesDirectory(rules: IgnoreRules, directory: string): boolean {
  if (directory === "") return false;
  for (let start = 0, end = directory.indexOf("/"); ; start = end + 1, end = directory.indexOf("/", start)) {
    const upTo = end === -1 ? directory : directory.slice(0, end);
    if (rules.verdict(upTo, upTo.slice(start), true) === true) return true;
    if (end === -1) return false;
  }
}

function globRules(globs: readonly string[], foldCase: boolean): IgnoreRules {
  // A leading `!` or `#` produced by braces would change the meaning of the line.
  return new IgnoreRules(
    globs.flatMap(expandBraces).map((line) => line.replace(/^[!#]/, "\\$&")),
    foldCase,
  );
}

/**
 * `a{b,c{d,e}}` as a list of patterns without braces; escaped or unbalanced braces stay as they are.
 * @throws PatternRefused beyond 256 alternatives
 */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const pending = [pattern];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const group = firstBraceGroup(next);
    if (group === undefined) done.push(next);
    else for (const choice of group.choices.toReversed()) pending.push(group.before + choice + group.after);
    if (done.length + pending.length > maxBraceAlternatives) {
      throw new ProjectFilesError("PatternRefused", { detail: `more than ${maxBraceAlternatives} brace alternatives` });
    }
  }
  return done;
}

function firstBraceGroup(pattern: string): { before: string; choices: string[]; after: string } | undefined {
  for (let open = 0; open < pattern.length; open++) {
    if (pattern[open] === "\\") open++;
    else if (pattern[open] === "{") {
      const group = choicesFrom(pattern, open);
      if (group !== undefined) return { before: pattern.slice(0, open), ...group };
    }
  }
  return undefined;
}

function choicesFrom(pattern: string, open: number): { choices: string[]; after: string } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at++;
    else if (char === "{") depth++;
    else if (char === "," && depth === 1) {
      choices.push(pattern.slice(from, at));
      from = at + 1;
    } else if (char === "}" && --depth === 0) {
      if (choices.length === 0) return undefined;
      choices.push(pattern.slice(from, at));
      return { choices, after: pattern.slice(at + 1) };
    }
  }
  return undefined;
}
