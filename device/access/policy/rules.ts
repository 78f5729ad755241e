import * as z from "zod";

const globs = z.array(z.string().min(1).max(1_000)).max(1_000).default([]);
const lists = z.strictObject({ allow: globs, ask: globs, deny: globs }).default({ allow: [], ask: [], deny: [] });
const tags = z
  .strictObject({ secret: globs, sensitive: globs, normal: globs })
  .default({ secret: [], sensitive: [], normal: [] });

/** Where a project keeps its own configuration. Nobody may write it through the access layer, whether or not it exists. */
export const policyFile = ".scouts.json";

/**
 * What one place says about files: patterns in gitignore syntax, for reading and writing apart. Within one place deny wins over
 * ask, ask over allow; what no place names falls to the built-in rules.
 */
export const accessRules = z.strictObject({
  read: lists,
  write: lists,
  /** What happens to a write that no pattern names. */
  otherWrites: z.enum(["allow", "ask", "deny"]).optional(),
  /** Left out of lists, searches and scans; a file named so can still be read by its name. */
  ignore: globs,
  /** How careful to be with files, whatever their names say. */
  sensitivity: tags,
});
export type AccessRules = z.output<typeof accessRules>;

/** What the person says, the place that counts most first: the first that names a path decides. */
export type PersonalRules = readonly AccessRules[];

/** Everything that is said about a project's files. */
export interface RulesInForce {
  readonly personal: PersonalRules;
  /** The project's own. It can only make access stricter: whoever wrote it is not the person whose machine this is. */
  readonly project?: AccessRules | undefined;
  /** Where in the project this device's data folder lies, whatever it is called (`dataFolderIn`): closed to everybody. */
  readonly ownData?: string | undefined;
}

/** What happens to a write that no pattern names. */
export function otherWrites({ personal, project }: RulesInForce): "allow" | "ask" | "deny" {
  const said = personal.find((place) => place.otherWrites !== undefined)?.otherWrites ?? "allow";
  return stricter(said, project?.otherWrites ?? "allow");
}

const strictness = ["allow", "ask", "deny"] as const;

/** The one of two answers that allows less: `deny` before `ask` before `allow`. */
export const stricter = (one: (typeof strictness)[number], other: (typeof strictness)[number]) =>
  strictness[Math.max(strictness.indexOf(one), strictness.indexOf(other))] ?? "deny";
