import { ProjectFilesError, type ProjectFilesErrorCode } from "../../errors.ts";

const codes: Record<string, ProjectFilesErrorCode> = {
  ENOENT: "NotFound",
  ENOTDIR: "NotADirectory",
  EISDIR: "NotAFile",
  // O_NOFOLLOW met a symlink that was not there when the path was resolved, or links form a loop.
  ELOOP: "OutsideRoot",
  EACCES: "AccessDenied",
  EPERM: "AccessDenied",
  EROFS: "AccessDenied",
  EEXIST: "Conflict",
  ENOTEMPTY: "Conflict",
  ENAMETOOLONG: "InvalidPath",
  EILSEQ: "InvalidPath",
};

/** The system error code, if it is one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Any error from `node:fs` as one of the closed union. */
export function fromSystem(error: unknown, path: string): ProjectFilesError {
  if (error instanceof ProjectFilesError) return error;
  return new ProjectFilesError(codes[systemCode(error) ?? ""] ?? "StorageFailed", { path, cause: error });
}

/** Runs `action`; its system errors leave as ProjectFilesError about `path`. */
export function translating<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw fromSystem(error, path);
  }
}
