import { pathFilter } from "../../files/paths/path-filter.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import type { ApprovalReason } from "./approver.ts";
import { isProtectedFromReading, isProtectedFromWriting, writingRunsSomething } from "./protected.ts";
import type { AccessRules } from "./rules.ts";
import { sensitivityOf } from "./sensitivity.ts";
import { spellingsOf } from "./spellings.ts";

export type Operation = "read" | "write";

export interface Decision {
  readonly verdict: "allow" | "ask" | "deny";
  /** Why, in words for the person who is asked and the model that is refused. */
  readonly reason: string;
  /** The same as a code, where somebody is asked. */
  readonly why: ApprovalReason;
}

export interface PolicyContext {
  readonly rules: AccessRules;
  /** Whether the project's disk folds case: patterns then do as well. */
  readonly foldsCase: boolean;
}

const cache = new WeakMap<AccessRules, Map<string, ReturnType<typeof pathFilter>>>();

/** The compiled patterns of a list, made once per set of rules. */
function filterOf(rules: AccessRules, operation: Operation, verdict: "allow" | "ask" | "deny", foldsCase: boolean) {
  const compiled = cache.get(rules) ?? new Map<string, ReturnType<typeof pathFilter>>();
  cache.set(rules, compiled);
  const key = `${operation} ${verdict} ${foldsCase}`;
  if (!compiled.has(key)) {
    // A person types an accent in one form, a disk stores it in another. Patterns fold ASCII only, as git's do.
    const composed = rules[operation][verdict].flatMap((glob) => [glob, glob.normalize("NFC")]);
    const globs = [...new Set(composed.flatMap((glob) => (foldsCase ? [glob, glob.toLowerCase()] : [glob])))];
    compiled.set(key, globs.length === 0 ? undefined : pathFilter({ globs }, foldsCase));
  }
  return compiled.get(key);
}

/**
 * Decides one access to one file. The only place where that is decided: every tool asks it, for every file it opens, lists
 * the content of or changes.
 *
 * @param path canonical (`ProjectFiles.canonical`): links resolved, spelled as stored. Rules on what the caller typed could
 * be walked around (CVE-2026-25724).
 */
export function decide(operation: Operation, path: string, { rules, foldsCase }: PolicyContext): Decision {
  if (operation === "write" && isProtectedFromWriting(path)) {
    return { verdict: "deny", reason: "it decides what programs may do", why: "rule" };
  }
  if (isProtectedFromReading(path)) return { verdict: "deny", reason: "it is the device's own data", why: "rule" };
  const spellings = spellingsOf(path).flatMap((each) => (foldsCase ? [each, each.toLowerCase()] : [each]));
  const matches = (verdict: "allow" | "ask" | "deny") => {
    const filter = filterOf(rules, operation, verdict, foldsCase);
    // What is allowed is this very path; what is not, whatever could be taken for it.
    return (verdict === "allow" ? [path] : spellings).some((each) => filter?.(each, nameOf(each)) === true);
  };
  if (matches("deny")) return { verdict: "deny", reason: "a rule of the project denies it", why: "rule" };
  if (matches("ask")) return { verdict: "ask", reason: "a rule of the project asks for it", why: "rule" };
  if (matches("allow")) return { verdict: "allow", reason: "a rule of the project allows it", why: "rule" };
  const sensitivity = sensitivityOf(path);
  if (sensitivity === "secret")
    return { verdict: "ask", reason: "files of this name hold credentials", why: "credentials" };
  if (sensitivity === "sensitive")
    return { verdict: "ask", reason: "files of this name are often private", why: "private" };
  if (operation === "write" && writingRunsSomething(path)) {
    return { verdict: "ask", reason: "programs run what this file says", why: "runs_programs" };
  }
  if (operation === "write" && rules.otherWrites !== "allow") {
    return { verdict: rules.otherWrites, reason: "the project's rules say so for every write", why: "every_write" };
  }
  return { verdict: "allow", reason: "nothing speaks against it", why: "rule" };
}
