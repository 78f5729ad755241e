import * as z from "zod";

const globs = z.array(z.string().min(1).max(1_000)).max(1_000).default([]);
const lists = z.strictObject({ allow: globs, ask: globs, deny: globs }).default({ allow: [], ask: [], deny: [] });

/** Where a project keeps its own rules. Nobody may write it through the access layer, whether or not it exists. */
export const policyFile = ".scouts-access.json";

/**
 * A person's rules for a project: patterns in gitignore syntax, for reading and writing apart. Deny wins over ask, ask over
 * allow; what no pattern names falls to the built-in rules.
 */
export const accessRules = z.strictObject({
  read: lists,
  write: lists,
  /** What happens to a write that no pattern names. */
  otherWrites: z.enum(["allow", "ask", "deny"]).default("allow"),
});
export type AccessRules = z.output<typeof accessRules>;

export const defaultRules: AccessRules = accessRules.parse({});

const strictness = ["allow", "ask", "deny"] as const;

/**
 * A person's rules together with those a project brings along. What comes with a project may make access stricter, never
 * looser: whoever wrote it is not the person whose machine this is.
 */
export function combinedRules(personal: AccessRules, project: AccessRules): AccessRules {
  const lists = (operation: "read" | "write") => ({
    allow: personal[operation].allow,
    ask: [...personal[operation].ask, ...project[operation].ask],
    deny: [...personal[operation].deny, ...project[operation].deny],
  });
  const stricter = Math.max(strictness.indexOf(personal.otherWrites), strictness.indexOf(project.otherWrites));
  return { read: lists("read"), write: lists("write"), otherWrites: strictness[stricter] ?? "deny" };
}
