import * as z from "zod";
import { artifactStats } from "./stats/stats.ts";

/** Which call of which tool gave the content. Ids are the caller's own, any text. */
export const artifactOrigin = z.strictObject({
  threadId: z.string(),
  taskId: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  /** Running the call again changes nothing, so a lost artifact can be had again. */
  readOnly: z.boolean(),
  arguments: z.record(z.string(), z.json()).optional(),
  /** The project the tool worked on. */
  projectRoot: z.string().optional(),
  /** Of the device: whose files these are. */
  projectId: z.string().optional(),
  /** Paths in that project of all files the content is of. */
  files: z.array(z.string()).optional(),
  /** The artifact the content was taken from. */
  derivedFrom: z.string().optional(),
});
export type ArtifactOrigin = z.infer<typeof artifactOrigin>;

/** What is known about an artifact without opening it; kept beside it as `{path}.meta.json`. */
export const fileMetadata = z.strictObject({
  /** Its path below the artifacts' root. */
  id: z.string().min(1),
  /** In the store's files. */
  path: z.string().min(1),
  sizeBytes: z.int().min(0),
  /** Told by the bytes. */
  contentType: z.string(),
  /** Of a text: a label of the Encoding Standard. */
  encoding: z.string().optional(),
  /** SHA-256 of the content, hex. */
  checksum: z.string().regex(/^[0-9a-f]{64}$/),
  preview: z.string(),
  stats: artifactStats,
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  origin: artifactOrigin,
  /** What the tool gave: filled in as an argument, it is that again. */
  given: z.enum(["text", "json", "bytes"]),
});
export type FileMetadata = z.infer<typeof fileMetadata>;

/** A tool's result as the conversation holds it. `notices` say what is not as usual, in words for the model. */
export type ToolResponseContent =
  | { readonly kind: "direct"; readonly result: unknown; readonly notices?: readonly string[] }
  | {
      readonly kind: "file";
      readonly metadata: FileMetadata;
      readonly preview: string;
      readonly notices?: readonly string[];
    };
