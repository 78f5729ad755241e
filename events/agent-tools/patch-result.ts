import * as z from "zod";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What `write_file`, `apply_patch` and `rollback` answer. */
export const patchResult = z.strictObject({
  success: z.boolean(),
  message: z.string(),
  /** The file has changed since the content the edit was made against, and both changes cannot stand. */
  conflict: z.boolean(),
  /** Unified diff of what changed, or would. */
  diff: z.string().nullable(),
  /** Of the first file; `files` has all of them. */
  versionId: z.string().nullable(),
  files: z.array(z.strictObject({ path: z.string(), versionId: z.string().nullable(), hash: sha256.nullable() })),
  /** Why not, when `success` is false. */
  code: z.string().optional(),
  candidates: z.array(z.strictObject({ startLine: z.int(), endLine: z.int() })).optional(),
  /** The text as it is now where the edit was meant, without credentials. */
  current: z.string().optional(),
});
export type PatchResult = z.infer<typeof patchResult>;
