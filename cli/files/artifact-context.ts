import { existsSync } from "node:fs";
import type { Artifacts } from "../../device/artifacts/artifacts.ts";
import type { ArtifactSession } from "../../device/artifacts/tools/artifact-session.ts";
import { DeviceError } from "../../device/errors.ts";
import { noDataYet } from "../../device/store/open.ts";
import { type CliContext, type CommonOptions, dataFolderOf, tellUnusedPassphrase } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";

/** Opens the data folder's artifacts for one command, and notes afterwards what was used. */
export async function withArtifacts(
  context: CliContext,
  flags: CommonOptions,
  work: (artifacts: Artifacts, output: Output) => Promise<void>,
): Promise<void> {
  const folder = dataFolderOf(context, flags);
  if (!existsSync(folder)) throw new DeviceError("store_missing", { sentence: noDataYet(folder) });
  const { openArtifacts } = await import("../../device/artifacts/open-artifacts.ts");
  const { Vault } = await import("../../device/vault/vault.ts");
  const vault = new Vault(folder, context.environment.SCOUTS_PASSPHRASE);
  const artifacts = openArtifacts(folder, context, vault);
  try {
    await work(artifacts, outputOn(context.io));
    tellUnusedPassphrase(context, vault);
  } finally {
    await artifacts.flush();
  }
}

/** The person may see every conversation's artifacts. */
export function personSession(artifacts: Artifacts, { io, newId }: CliContext): ArtifactSession {
  return {
    artifacts,
    mayUse: () => true,
    threadId: "person",
    taskId: "command",
    newCallId: newId,
    signal: io.signal,
  };
}
