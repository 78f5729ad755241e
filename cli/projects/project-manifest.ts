import type { Command } from "commander";
import { readManifest } from "../../device/folders/manifest/read-manifest.ts";
import { leastBudgetTokens, manifestBudgetTokens } from "../../device/folders/manifest/render.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions, withStore } from "../context.ts";
import { printableCode } from "../output/printable-code.ts";
import { projectNamed } from "./project-named.ts";

interface ManifestFlags extends CommonOptions {
  readonly budget?: number;
}

/** `scouts project manifest`: what an agent is told of a project's folder before it is asked anything. */
export function addProjectManifest(project: Command, context: CliContext): void {
  const command = project
    .command("manifest")
    .description("print what agents are told of a project's folder")
    .argument("<name>", "name or id of a project")
    .option("--budget <tokens>", `at most so many tokens (default: ${manifestBudgetTokens})`, budget);
  withCommonOptions(command).action((name: string, flags: ManifestFlags) =>
    withStore(context, flags, async (store: DeviceStore, output) => {
      const manifest = await readManifest(projectNamed(store, name).id, {
        store,
        now: context.now,
        ...(flags.budget !== undefined && { budgetTokens: flags.budget }),
      });
      const { text, tokens, listed, omitted, wantsScan } = manifest;
      if (flags.json) output.json({ projectId: manifest.project.id, tokens, listed, omitted, wantsScan, text });
      else output.line(printableCode(text));
    }),
  );
}

const budget = wholeNumber(leastBudgetTokens, 100_000);
