import { existsSync } from "node:fs";
import { join } from "node:path";
import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import type { Artifacts } from "../../artifacts/artifacts.ts";
import { isArtifactError } from "../../artifacts/errors.ts";
import type { FileMetadata } from "../../artifacts/metadata.ts";
import { artifactRoot } from "../../artifacts/store/naming.ts";
import { extractionLimits } from "../../folders/scanner/limits.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredAnswer } from "../../store/schema.ts";
import type { Piece } from "../work/search-pieces.ts";

/** What agents left on the device: their answers, and results of tools that were too long to be shown. */
export type KeptKind = "answer" | "artifact";

/** One of them as it is found and shown. */
export interface KeptPiece extends Piece {
  readonly kind: KeptKind;
  /** The tool an artifact came from; "" for an answer. */
  readonly tag: string;
  /** Two of a project that have it in common say the same; "" for what is never the same. */
  readonly hash: string;
}

const redactor = new Redactor();
const clean = (text: string): string => redactor.redact(text.toWellFormed()).text;
/** Beyond this an artifact is read by its tools, and not searched. */
const maxTextBytes = extractionLimits.maxTextChars;

/**
 * The artifacts of a data folder; undefined when there are none. A program that looks for none does not load how they are
 * kept.
 */
export async function artifactsOf(
  { dataFolder, newId, vault }: DeviceStore,
  nowMs: number,
): Promise<Artifacts | undefined> {
  if (!existsSync(join(dataFolder, artifactRoot))) return undefined;
  const { openArtifacts } = await import("../../artifacts/open-artifacts.ts");
  return openArtifacts(dataFolder, { now: () => nowMs, newId }, vault);
}

/** What a kept text is called in the search index: `answer/<id>`, `artifact/<id>`. */
export const keptPath = (kind: KeptKind, id: string): string => `${kind}/${id}`;

/** What stands at a path of the index; undefined when it is gone, damaged, or nothing that is searched. */
export async function keptAt(
  store: DeviceStore,
  artifacts: Artifacts | undefined,
  path: string,
): Promise<KeptPiece | undefined> {
  const at = path.indexOf("/");
  const [kind, id] = [path.slice(0, at), path.slice(at + 1)];
  if (kind === "answer") return pieceOfAnswer(store.answers.find(id));
  if (kind !== "artifact" || artifacts === undefined) return undefined;
  try {
    const metadata = await artifacts.store.get(id);
    return isSearched(metadata) ? await pieceOfArtifact(artifacts, metadata) : undefined;
  } catch (error) {
    // Removed meanwhile, damaged, or away: it is not found, and regenerated where that can be.
    if (isArtifactError(error, "not_found", "corrupt", "locked", "store_unavailable")) return undefined;
    throw error;
  }
}

function pieceOfAnswer(found: StoredAnswer | undefined): KeptPiece | undefined {
  if (found === undefined) return undefined;
  const { id, question, answer, askedAt: atMs, projectId, files } = found;
  const said = { title: clean(question), text: clean(answer), sender: "", tag: "", hash: "" };
  return { kind: "answer", id, atMs, projectId, files, repeats: false, ...said };
}

/** Text of a project's files, and of which is known: nobody could say of another whether it may be shown. */
function isSearched({ encoding, stats, origin }: FileMetadata): boolean {
  const { projectId, files = [] } = origin;
  return encoding !== undefined && stats.kind !== "binary" && projectId !== undefined && files.length > 0;
}

async function pieceOfArtifact(artifacts: Artifacts, metadata: FileMetadata): Promise<KeptPiece> {
  const { id, encoding, checksum, origin, createdAt: atMs } = metadata;
  const { projectId = null, files = [], tool, derivedFrom, arguments: args = {} } = origin;
  const bytes = await artifacts.store.read(metadata, 0, maxTextBytes);
  const text = clean(new TextDecoder(encoding).decode(bytes));
  const asked = [args["query"], args["pattern"]].filter((each) => typeof each === "string");
  const title = clean([...asked, files.join(", ")].join(" · "));
  const repeats = derivedFrom === undefined;
  return {
    ...{ kind: "artifact", id, title, sender: "", text, atMs, projectId, files, repeats, tag: tool },
    hash: `${projectId} ${checksum}`,
  };
}
