import { parseDocument } from "../access/edits/lines/document.ts";
import { isAccessError } from "../access/errors.ts";
import { unifiedDiff } from "../access/reading/unified.ts";
import type { Artifacts } from "./artifacts.ts";
import { ArtifactError } from "./errors.ts";

/** Larger ones do not fit memory twice over with their lines. */
const maxBytes = 32 * 1024 * 1024;
/** Beyond it what is left is shown as replaced: longer, still true. */
const timeMs = 5_000;

export interface Comparison {
  /** As a unified diff; "" when they are equal. */
  readonly diff: string;
  /** Whether time was up before all lines were compared. */
  readonly isRough: boolean;
}

/**
 * What is different in two stored texts, line by line. JSON is stored on lines.
 *
 * @throws ArtifactError `not_found`, `corrupt`, `too_large`, `not_text`, `store_unavailable`
 */
export async function compareArtifacts(artifacts: Artifacts, one: string, other: string): Promise<Comparison> {
  const [before, after] = [await textOf(artifacts, one), await textOf(artifacts, other)];
  const untilMs = performance.now() + timeMs;
  let isRough = false;
  const isOverdue = () => {
    isRough ||= performance.now() > untilMs;
    return isRough;
  };
  const diff = unifiedDiff(other, before, after, { isOverdue }).replace(`--- a/${other}\n`, () => `--- a/${one}\n`);
  return { diff, isRough };
}

async function textOf(artifacts: Artifacts, id: string): Promise<string> {
  const { metadata } = await artifacts.find(id);
  if (metadata.sizeBytes > maxBytes) {
    throw new ArtifactError("too_large", { detail: `${id}: what is compared may have ${maxBytes} bytes.` });
  }
  try {
    const { lines } = parseDocument(await artifacts.read(id));
    return lines.map(({ text, ending }) => text + ending).join("");
  } catch (error) {
    if (!isAccessError(error, "binary_file")) throw error;
    throw new ArtifactError("not_text", { detail: id, cause: error });
  }
}
