import { posix, win32 } from "node:path";
import type { PathStyle } from "./project-path.ts";

/** How a disk compares names. */
export interface NameFolding {
  /** APFS, NTFS, FAT, casefold ext4. */
  readonly foldsCase: boolean;
  /** HFS+ and APFS treat NFC and NFD spellings as one name. */
  readonly foldsUnicode: boolean;
}

export const exactNames: NameFolding = { foldsCase: false, foldsUnicode: false };

/** The key under which a disk knows a name or path: equal keys, same file. */
export function identityOf(path: string, folding: NameFolding): string {
  const normal = folding.foldsUnicode ? path.normalize("NFC") : path;
  return folding.foldsCase ? normal.toLowerCase() : normal;
}

/**
 * `target` relative to `root` with `/`, `""` when they are equal, undefined when it lies outside. Compared segment by
 * segment with a separator: `/root-evil` is not in `/root` (CVE-2025-53110). Both are absolute and resolved already;
 * symlinks are not looked at.
 */
export function relativeInside(
  root: string,
  target: string,
  style: PathStyle,
  folding: NameFolding = exactNames,
): string | undefined {
  if (root.includes("\0") || target.includes("\0")) return undefined;
  const flavour = style === "windows" ? win32 : posix;
  if (!flavour.isAbsolute(root) || !flavour.isAbsolute(target)) return undefined;
  const within = withoutTrailingSeparator(flavour.normalize(root), style);
  const whole = withoutTrailingSeparator(flavour.normalize(target), style);
  const rest = splitAt(within, whole, flavour.sep, folding);
  return style === "windows" ? rest?.replaceAll("\\", "/") : rest;
}

function splitAt(root: string, target: string, separator: string, folding: NameFolding): string | undefined {
  const rootSegments = root.split(separator);
  const segments = target.split(separator);
  if (segments.length < rootSegments.length) return undefined;
  for (const [index, segment] of rootSegments.entries()) {
    if (identityOf(segment, folding) !== identityOf(segments[index] ?? "", folding)) return undefined;
  }
  return segments.slice(rootSegments.length).join(separator);
}

/** `/` becomes "" and `C:\` becomes `C:`, so that splitting gives exactly the root's segments. */
function withoutTrailingSeparator(path: string, style: PathStyle): string {
  return path.replace(style === "windows" ? /(?<!\\)\\+$/ : /(?<!\/)\/+$/, "");
}
