import * as z from "zod";
import { accessRules } from "../access/policy/rules.ts";
import { artifactSettings } from "../artifacts/settings.ts";

const count = z.int().min(0).max(1_000_000_000_000);

/** What one session with a project's files may use. */
const sessionLimits = z
  .strictObject({
    calls: count.optional(),
    bytesRead: count.optional(),
    tokensRead: count.optional(),
    writes: count.optional(),
    /** What happens when one of them is used up. */
    whenSpent: z.enum(["refuse", "ask"]).optional(),
  })
  .default({});
export type LimitSettings = z.output<typeof sessionLimits>;

/** What one place says. Every setting may be left out: then a place that counts less is asked. */
export const projectPlace = accessRules.extend({ limits: sessionLimits });
export type ProjectPlace = z.output<typeof projectPlace>;

const commits = z
  .strictObject({
    /** Whether every change is committed, where the project is a git repository. */
    commit: z.boolean().optional(),
  })
  .default({});

/** What the person says, of all projects or of one: more than a project may say of itself. */
export const configPlace = projectPlace.extend({ git: commits });
export type ConfigPlace = z.output<typeof configPlace>;

/** The person's own configuration, for all projects and for single ones. */
export const personalConfig = configPlace.extend({
  /** How results of tools are kept. */
  artifacts: artifactSettings,
  /** By the project's folder, as an absolute path, or its address. */
  projects: z.record(z.string().min(1).max(4_000), configPlace).default({}),
});
export type PersonalConfig = z.output<typeof personalConfig>;
