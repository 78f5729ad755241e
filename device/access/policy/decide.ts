import { isInDataFolder } from "../../files/place/data-folder-place.ts";
import type { Sensitivity } from "../store/access-store.ts";
import type { ApprovalReason } from "./approver.ts";
import { names, namesExactly } from "./patterns.ts";
import { isProtectedFromReading, isProtectedFromWriting, writingRunsSomething } from "./protected.ts";
import { type AccessRules, otherWrites, type RulesInForce } from "./rules.ts";
import { sensitivityOf } from "./sensitivity.ts";

export type Operation = "read" | "write";

export interface Decision {
  readonly verdict: "allow" | "ask" | "deny";
  /** Why, in words for the person who is asked and the model that is refused. */
  readonly reason: string;
  /** The same as a code, where somebody is asked. */
  readonly why: ApprovalReason;
}

export interface PolicyContext {
  readonly rules: RulesInForce;
  /** Whether the project's disk folds case: patterns then do as well. */
  readonly foldsCase: boolean;
}

/**
 * Decides one access to one file. The only place where that is decided: every tool asks it, for every file it opens, lists
 * the content of or changes.
 *
 * @param path canonical (`ProjectFiles.canonical`): links resolved, spelled as stored. Rules on what the caller typed could
 * be walked around (CVE-2026-25724).
 */
export function decide(operation: Operation, path: string, context: PolicyContext): Decision {
  if (operation === "write" && isProtectedFromWriting(path)) {
    return { verdict: "deny", reason: "it decides what programs may do", why: "rule" };
  }
  if (isOwnData(path, context)) return { verdict: "deny", reason: "it is the device's own data", why: "rule" };
  const { rules, foldsCase } = context;
  const said = (place: AccessRules) => verdictOf(place[operation], path, foldsCase);
  const own = rules.personal.map(said).find((verdict) => verdict !== undefined);
  const projects = rules.project && said(rules.project);
  if (own === "deny" || projects === "deny") {
    return { verdict: "deny", reason: "a rule of the project denies it", why: "rule" };
  }
  if (own === "ask" || projects === "ask") {
    return { verdict: "ask", reason: "a rule of the project asks for it", why: "rule" };
  }
  // What a project calls secret is asked about, whatever the person allows in general.
  const isTaggedByProject = rules.project !== undefined && tagOf(rules.project, path, foldsCase) !== undefined;
  if (own === "allow" && !isTaggedByProject) {
    return { verdict: "allow", reason: "a rule of the project allows it", why: "rule" };
  }
  const sensitivity = sensitivityIn(path, context);
  if (sensitivity === "secret")
    return { verdict: "ask", reason: "files of this name hold credentials", why: "credentials" };
  if (sensitivity === "sensitive")
    return { verdict: "ask", reason: "files of this name are often private", why: "private" };
  if (operation === "write" && writingRunsSomething(path)) {
    return { verdict: "ask", reason: "programs run what this file says", why: "runs_programs" };
  }
  const others = otherWrites(rules);
  if (operation === "write" && others !== "allow") {
    return { verdict: others, reason: "the project's rules say so for every write", why: "every_write" };
  }
  return { verdict: "allow", reason: "nothing speaks against it", why: "rule" };
}

/** Whether a path is the device's own data: by the name such a folder usually has, and by where this device's lies. */
export const isOwnData = (
  path: string,
  { rules: { ownData }, foldsCase }: { readonly rules: Pick<RulesInForce, "ownData">; readonly foldsCase: boolean },
): boolean => isProtectedFromReading(path) || isInDataFolder(path, ownData, foldsCase);

/** What one place says of a path; undefined when it does not name it. */
export function verdictOf(
  { deny, ask, allow }: AccessRules[Operation],
  path: string,
  foldsCase: boolean,
): Decision["verdict"] | undefined {
  if (names(deny, path, foldsCase)) return "deny";
  if (names(ask, path, foldsCase)) return "ask";
  return namesExactly(allow, path, foldsCase) ? "allow" : undefined;
}

/** How careful to be with a file: as the person has tagged it, else by its name; a project's tag can only raise that. */
export function sensitivityIn(path: string, { rules, foldsCase }: PolicyContext): Sensitivity {
  const own = rules.personal.map((place) => personalTagOf(place, path, foldsCase)).find((tag) => tag !== undefined);
  const projects = rules.project && tagOf(rules.project, path, foldsCase);
  const levels = [own ?? sensitivityOf(path), projects ?? "normal"];
  return levels.includes("secret") ? "secret" : levels.includes("sensitive") ? "sensitive" : "normal";
}

const tagOf = ({ sensitivity: { secret, sensitive } }: AccessRules, path: string, foldsCase: boolean) =>
  names(secret, path, foldsCase) ? "secret" : names(sensitive, path, foldsCase) ? "sensitive" : undefined;

function personalTagOf(place: AccessRules, path: string, foldsCase: boolean): Sensitivity | undefined {
  const careful = tagOf(place, path, foldsCase);
  return careful ?? (namesExactly(place.sensitivity.normal, path, foldsCase) ? "normal" : undefined);
}

/** Whether a file is left out of lists, searches and scans. */
export const isIgnoredByRules = (path: string, { rules: { personal, project }, foldsCase }: PolicyContext): boolean =>
  [...personal, ...(project === undefined ? [] : [project])].some(({ ignore }) => names(ignore, path, foldsCase));
