import { isProjectFilesError } from "../files/errors.ts";

const systemCode = /^E[A-Z0-9]{2,}$/;
const maxDepth = 8;

/**
 * What lies beneath a failure of files, as sentences: what its place says of itself, and the system's own code, by which it is
 * looked up. None where neither is known.
 */
export function saidBySystem(error: unknown): string[] {
  const place = isProjectFilesError(error) && error.detail !== undefined ? [`${capital(error.detail)}.`] : [];
  const code = systemCodeOf(error);
  if (code === undefined) return place;
  return [...place, code === "EROFS" ? "Its disk can only be read (EROFS)." : `The system says ${code}.`];
}

function systemCodeOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth === maxDepth) return undefined;
  if ("code" in error && typeof error.code === "string" && systemCode.test(error.code)) return error.code;
  return systemCodeOf(error.cause, depth + 1);
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
