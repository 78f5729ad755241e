/**
 * A piece of text every match of an RE2 pattern must contain, or undefined when none is certain. Reads only what it is
 * sure of: top-level runs of plain ASCII characters. Used to pass over files and lines without running the engine.
 */
export function requiredLiteral(pattern: string): string | undefined {
  let best = "";
  let run = "";
  const endRun = (kept = run) => {
    if (kept.length > best.length) best = kept;
    run = "";
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? "";
    if (char === "|") return undefined;
    if (char === "\\") {
      const next = pattern[++at] ?? "";
      if (/[dDwWsSbBAz]/.test(next)) endRun();
      else if (/[!-/:-@[-`{-~]/.test(next)) run += next;
      else return undefined;
    } else if (char === "[") {
      const end = endOfClass(pattern, at);
      if (end === undefined) return undefined;
      endRun();
      at = end;
    } else if (char === "(") {
      const end = endOfGroup(pattern, at);
      if (end === undefined) return undefined;
      endRun();
      at = end;
    } else if (/[*?{]/.test(char)) {
      // The character before may be absent altogether.
      endRun(run.slice(0, -1));
      const repeat = /^\{\d+(,\d*)?\}/.exec(pattern.slice(at))?.[0];
      if (char === "{" && repeat === undefined) return undefined;
      at += (repeat?.length ?? 1) - 1;
    } else if (/[+.^$)]/.test(char)) endRun();
    else if (/[ -~\t]/.test(char)) run += char;
    else endRun();
  }
  endRun();
  return best === "" ? undefined : best;
}

/** Index of the `]` that closes the class at `open`. Classes with `\Q` or `\E` are not read. */
export function endOfClass(pattern: string, open: number): number | undefined {
  let at = open + 1;
  if (pattern[at] === "^") at++;
  if (pattern[at] === "]") at++;
  for (; at < pattern.length; at++) {
    if (pattern[at] === "\\") {
      if (/[QE]/.test(pattern[++at] ?? "")) return undefined;
    } else if (pattern[at] === "[" && pattern[at + 1] === ":") {
      const close = pattern.indexOf(":]", at + 2);
      if (close === -1) return undefined;
      at = close + 1;
    } else if (pattern[at] === "]") return at;
  }
  return undefined;
}

/** Index of the `)` that closes the group at `open`; undefined for groups that set flags for what follows. */
export function endOfGroup(pattern: string, open: number): number | undefined {
  if (pattern[open + 1] === "?" && !/^\?(:|P?<)/.test(pattern.slice(open + 1))) return undefined;
  for (let at = open + 1; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === ")") return at;
    if (char === "\\") {
      if (/[QE]/.test(pattern[++at] ?? "")) return undefined;
    } else if (char === "[" || char === "(") {
      const end = char === "[" ? endOfClass(pattern, at) : endOfGroup(pattern, at);
      if (end === undefined) return undefined;
      at = end;
    }
  }
  return undefined;
}
