import { createHash } from "node:crypto";
import type { IndexedFile } from "../../../events/frames/folders.ts";
import { type IndexId, indexId, type ProjectId, projectId } from "../../../events/ids.ts";
import type { SeededRandom } from "../random.ts";

/** In every path, content and summary; nowhere at rest. */
export const canary = "CANARY";

/** How the model takes a file: `poison` kills whoever asks about it, `fickle` has another answer each time. */
export type Nature = "fine" | "fickle" | "refused" | "invalid" | "poison";

export interface SimulatedFile {
  readonly relPath: string;
  readonly nature: Nature;
  /** Waits in the bucket instead of travelling in the frame. */
  readonly isUploaded: boolean;
  readonly contentHash: string;
}

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** 26 characters of a ULID that follow from a number. */
export function ulidOf(serial: number): string {
  const digits = Array.from({ length: 10 }, (_, at) => alphabet[Math.floor(serial / 32 ** (9 - at)) % 32]);
  return `0${"0".repeat(15)}${digits.join("")}`;
}

export function indexOf(serial: number): IndexId {
  return indexId.parse(`idx_${ulidOf(serial)}`);
}

export function projectOf(serial: number): ProjectId {
  return projectId.parse(`prj_${ulidOf(serial)}`);
}

export function newFile(random: SeededRandom, serial: number): SimulatedFile {
  const natures: readonly Nature[] = ["fine", "fine", "fine", "fine", "fine", "fickle", "refused", "invalid"];
  const nature = random.chance(0.02) ? "poison" : random.pick(natures);
  const contentHash = createHash("sha256").update(String(serial)).digest("hex");
  return { relPath: `${canary}/${serial}.md`, nature, isUploaded: random.chance(0.3), contentHash };
}

export function framed(file: SimulatedFile, content: IndexedFile["content"]): IndexedFile {
  const { relPath, contentHash } = file;
  return { relPath, kind: "text", content, contentHash, sizeBytes: 100, mtimeMs: 0 };
}
