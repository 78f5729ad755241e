import * as z from "zod";
import { compileTemplate } from "./description/template.ts";
import { isArtifactError } from "./errors.ts";
import { thresholdPresets } from "./thresholds.ts";

const presets = Object.keys(thresholdPresets) as [keyof typeof thresholdPresets, ...(keyof typeof thresholdPresets)[]];
/** Beyond it no result could be stored. */
const bytes = z
  .int()
  .min(0)
  .max(64 * 1024 * 1024);
const template = z
  .string()
  .max(100_000)
  .refine(isTemplate, "It is no template: a section in it is not closed, or closes nothing.");

/** How results of tools are kept, as the person has set it (`artifacts` in the configuration). */
export const artifactSettings = z
  .strictObject({
    /** From which size on a result is stored instead of shown. */
    preset: z.enum(presets).optional(),
    /** In bytes, by the agent's name (`home`, `brief` …); a tool's goes before an agent's. */
    perAgent: z.record(z.string().max(64), bytes).default({}),
    perTool: z.record(z.string().max(64), bytes).default({}),
    /** Tokens that the model of your agents can take. */
    windowTokens: z.int().min(1_000).max(100_000_000).optional(),
    /** What a model is shown in an artifact's place, and of each in a list; the fields are in docs/artifacts.md. */
    templates: z.strictObject({ context: template.optional(), list: template.optional() }).default({}),
    keepDays: z.number().min(0).max(36_500).optional(),
    keepMegabytes: z.number().min(0).max(10_000_000).optional(),
  })
  .default({ perAgent: {}, perTool: {}, templates: {} });

function isTemplate(text: string): boolean {
  try {
    compileTemplate(text);
    return true;
  } catch (error) {
    if (!isArtifactError(error, "template_invalid")) throw error;
    return false;
  }
}
