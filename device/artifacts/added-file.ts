import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { DeviceError } from "../errors.ts";
import type { Artifacts, Rerun } from "./artifacts.ts";
import type { FileMetadata } from "./metadata.ts";
import { addedTool } from "./run-again.ts";

/** Artifacts a person stored themselves belong to no conversation. */
const ids = { threadId: "person", taskId: "added" } as const;

/**
 * Stores a file of the person's as an artifact: described, searchable, queried like any other. It is read in pieces.
 *
 * @param file absolute
 * @throws DeviceError `file_unreadable`; ArtifactError `store_unavailable`
 */
export async function addFile(artifacts: Artifacts, file: string, newId: () => string): Promise<FileMetadata> {
  const origin = { ...ids, toolCallId: newId(), tool: addedTool, readOnly: true, arguments: { path: file } };
  const { result, name } = addedFile(file);
  const kept = await artifacts.keep(result, origin, name === undefined ? {} : { name });
  if (kept.kind === "file") return kept.metadata;
  const sentence = `${kept.notices?.join(" ") ?? ""} Nothing was stored.`.trim();
  throw new DeviceError("store_full", { sentence });
}

/** What a file holds now, in pieces. @throws DeviceError `file_unreadable` */
export function addedFile(file: string): Rerun {
  // A pipe would be waited for, and a directory has nothing to read.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw unreadable(file);
  return { result: pieces(file), name: basename(file) };
}

async function* pieces(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of createReadStream(file)) yield Buffer.from(piece);
  } catch (error) {
    throw unreadable(file, error);
  }
}

const unreadable = (file: string, cause?: unknown) =>
  new DeviceError("file_unreadable", { sentence: `${file} is no file that can be read.`, data: { file }, cause });
