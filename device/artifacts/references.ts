import { type ArtifactReference, artifactReference } from "../../events/agent-tools/artifact-tools.ts";
import type { Artifacts } from "./artifacts.ts";
import { ArtifactError, isArtifactError } from "./errors.ts";
import { type ExactJson, parseExactJson } from "./exact-json.ts";
import type { FileMetadata } from "./metadata.ts";

export interface ReferenceLimits {
  /** Of all artifacts filled in for one call. */
  readonly maxTotalBytes: number;
  readonly maxReferences: number;
}

const defaultLimits: ReferenceLimits = { maxTotalBytes: 64 * 1024 * 1024, maxReferences: 50 };
const maxDepth = 64;

/**
 * A tool's arguments with every `{ "$artifact": id }` in them replaced by the artifact's content. What is filled in is
 * data: a reference within it stays as it is.
 * @param mayUse decides which artifacts this call may have, so that one conversation cannot reach into another
 * @throws ArtifactError `reference_invalid`, `not_found`, `corrupt`, `too_large`, `store_unavailable`
 */
export async function fillReferences(
  args: unknown,
  artifacts: Artifacts,
  mayUse: (metadata: FileMetadata) => boolean,
  limits: ReferenceLimits = defaultLimits,
): Promise<unknown> {
  const filled = new Filling(artifacts, mayUse, limits);
  return filled.value(args, 0);
}

class Filling {
  readonly #artifacts: Artifacts;
  readonly #mayUse: (metadata: FileMetadata) => boolean;
  readonly #limits: ReferenceLimits;
  #bytes = 0;
  #references = 0;

  constructor(artifacts: Artifacts, mayUse: (metadata: FileMetadata) => boolean, limits: ReferenceLimits) {
    this.#artifacts = artifacts;
    this.#mayUse = mayUse;
    this.#limits = limits;
  }

  async value(value: unknown, depth: number): Promise<unknown> {
    if (typeof value !== "object" || value === null) return value;
    if (depth > maxDepth) throw new ArtifactError("reference_invalid", { detail: "They are nested too deeply." });
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(await this.value(item, depth + 1));
      return items;
    }
    if (Object.hasOwn(value, "$artifact")) return this.#content(value);
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value)) entries.push([key, await this.value(item, depth + 1)]);
    return Object.fromEntries(entries);
  }

  async #content(value: object): Promise<unknown> {
    const parsed = artifactReference.safeParse(value);
    if (!parsed.success) {
      throw new ArtifactError("reference_invalid", { detail: 'It is written { "$artifact": id }, with nothing else.' });
    }
    const { metadata } = await this.#artifacts.find(parsed.data.$artifact);
    if (!this.#mayUse(metadata)) throw new ArtifactError("not_found");
    this.#bytes += metadata.sizeBytes;
    this.#references++;
    if (this.#bytes > this.#limits.maxTotalBytes || this.#references > this.#limits.maxReferences) {
      throw new ArtifactError("too_large", {
        detail: `One call may have ${this.#limits.maxReferences} artifacts of ${this.#limits.maxTotalBytes} bytes in all.`,
      });
    }
    this.#artifacts.usage.add("references");
    return shaped(await this.#artifacts.read(metadata.id), metadata, parsed.data);
  }
}

function shaped(bytes: Buffer, { given, encoding, id }: FileMetadata, { as }: ArtifactReference): unknown {
  const shape = as ?? (given === "bytes" ? (encoding === undefined ? "base64" : "text") : given);
  if (shape === "base64") return bytes.toString("base64");
  if (encoding === undefined) {
    throw new ArtifactError("reference_invalid", { detail: `${JSON.stringify(id)} is binary: take it as base64.` });
  }
  const text = new TextDecoder(encoding).decode(bytes);
  if (shape === "text") return text;
  try {
    return withoutBigInts(parseExactJson(text));
  } catch (cause) {
    if (isArtifactError(cause)) throw cause;
    throw new ArtifactError("reference_invalid", { detail: `${JSON.stringify(id)} is not JSON.`, cause });
  }
}

/** Arguments are plain JSON: an integer that no number holds is given as its digits, not as another integer. */
function withoutBigInts(value: ExactJson): unknown {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBigInts(inner)]));
}
