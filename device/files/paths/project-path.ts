import { ProjectFilesError } from "../errors.ts";

/** Which system's rules a backend's names obey. Decided as strings, so both can be tested anywhere. */
export type PathStyle = "posix" | "windows";

/** NAME_MAX of ext4, APFS (in UTF-8 bytes; NTFS counts 255 UTF-16 units, which is never more). */
const maxSegmentBytes = 255;
/** PATH_MAX of Linux, less the final NUL. */
const maxPathBytes = 4095;

/**
 * The canonical spelling of a path a caller gave: segments joined by `/`, no `.`, no `..`, no doubled or trailing
 * separator; `""` for the root. Purely lexical: symlinks are the backend's affair.
 * @throws ProjectFilesError OutsideRoot (absolute, UNC, drive, `..` beyond the root) or InvalidPath
 */
export function canonicalPath(input: string, style: PathStyle): string {
  if (input === "" || isPlain(input)) return checkLength(input, input);
  if (input.includes("\0")) throw new ProjectFilesError("InvalidPath", { path: input, detail: "NUL" });
  if (!input.isWellFormed()) {
    throw new ProjectFilesError("InvalidPath", { path: input, detail: "not valid Unicode" });
  }
  checkRooted(input, style, input);
  checkClimbing(input, style, input);
  const segments = resolveDots(input.split(style === "windows" ? /[\\/]/ : "/"), input);
  for (const segment of segments) checkSegment(segment, style, input);
  const path = segments.join("/");
  // `./C:`, `a/..//\\x` and `a\\a/../.\\..` come out as something that may not go in.
  checkRooted(path, style, input);
  checkClimbing(path, style, input);
  return checkLength(path, input);
}

function checkRooted(path: string, style: PathStyle, input: string): void {
  if (/^[\\/]/.test(path) && (path[0] === "/" || style === "windows" || path[1] === "\\")) {
    throw new ProjectFilesError("OutsideRoot", { path: input, detail: "absolute" });
  }
  // A drive is refused everywhere, so that a path means the same on every machine; `c:name` is a name on Linux.
  if (/^[A-Za-z]:([\\/]|$)/.test(path)) {
    throw new ProjectFilesError("OutsideRoot", { path: input, detail: "drive letter" });
  }
}

/** On Linux a backslash is part of a name, yet a name that would climb out on Windows is never honest. */
function checkClimbing(path: string, style: PathStyle, input: string): void {
  if (style === "posix" && path.includes("\\")) resolveDots(path.split(/[\\/]/), input);
}

/** The common case, decided by one linear scan: ASCII names without anything that has a meaning. */
const plainPath = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
const windowsTrouble = /(?:\.|^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$|\/)|\.(?:\/|$)/i;

function isPlain(input: string): boolean {
  return plainPath.test(input) && !windowsTrouble.test(input);
}

function resolveDots(segments: readonly string[], input: string): string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.pop() === undefined) throw new ProjectFilesError("OutsideRoot", { path: input });
  }
  return kept;
}

/**
 * Names Windows gives another meaning, "Naming Files, Paths, and Namespaces" (learn.microsoft.com): reserved characters,
 * device names with or without extension and with superscript digits, trailing dot or space (silently dropped).
 */
const windowsDevice = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$) *(?:[.:]|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what Windows reserves
const windowsReserved = /[<>:"|?*\u0000-\u001f]/;

function checkSegment(segment: string, style: PathStyle, input: string): void {
  if (style !== "windows") return;
  const detail = windowsReserved.test(segment)
    ? "character reserved on Windows"
    : windowsDevice.test(segment)
      ? "device name"
      : /[. ]$/.test(segment)
        ? "trailing dot or space"
        : undefined;
  if (detail !== undefined) throw new ProjectFilesError("InvalidPath", { path: input, detail });
}

function checkLength(path: string, input: string): string {
  // UTF-8 needs at most three bytes for one UTF-16 unit.
  if (path.length * 3 <= maxSegmentBytes) return path;
  const tooLong =
    Buffer.byteLength(path) > maxPathBytes || path.split("/").some((name) => Buffer.byteLength(name) > maxSegmentBytes);
  if (tooLong) throw new ProjectFilesError("InvalidPath", { path: input, detail: "too long" });
  return path;
}

/** True when `name`, as listed by a system, can be part of a project path. U+FFFD stands for bytes that are not UTF-8. */
export function isAddressableName(name: string, style: PathStyle): boolean {
  if (["", ".", ".."].includes(name)) return false;
  if (name.length <= maxSegmentBytes && /^[\w.-]+$/.test(name) && style === "posix") return true;
  if (name.includes("\ufffd")) return false;
  try {
    return canonicalPath(name, style) === name;
  } catch {
    // Refused as a path: that is the answer.
    return false;
  }
}

/** Directory part of a canonical path; `""` for a name in the root. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

/** Last segment of a canonical path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Joins two canonical paths, either of which may be the root. */
export function joinPath(directory: string, path: string): string {
  if (directory === "") return path;
  return path === "" ? directory : `${directory}/${path}`;
}

/** The segments of a canonical path; none for the root. */
export function segmentsOf(path: string): string[] {
  return path === "" ? [] : path.split("/");
}

/** Order of walks: segment by segment, names by UTF-16 code unit. Negative, zero or positive. */
export function comparePaths(a: string, b: string): number {
  const left = segmentsOf(a);
  const right = segmentsOf(b);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const x = left[i] ?? "";
    const y = right[i] ?? "";
    if (x !== y) return x < y ? -1 : 1;
  }
  return left.length - right.length;
}
