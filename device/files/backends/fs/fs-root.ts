import { closeSync, fstatSync, lstatSync, openSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { join, resolve } from "node:path";
import { isProjectFilesError, ProjectFilesError } from "../../errors.ts";
import { identityOf, type NameFolding, relativeInside } from "../../paths/containment.ts";
import { probeFolding } from "../../paths/probe-folding.ts";
import { joinPath, type PathStyle, segmentsOf } from "../../paths/project-path.ts";
import { descriptorPath, directoryOnly, FsDirectory, readFlags } from "./fs-directory.ts";
import { systemCode, translating } from "./fs-errors.ts";

/** ELOOP of Linux, symlink(7). */
const maxLinks = 40;
/** Where a path leads: the part that exists, without symlinks, and the segments that do not exist. */
export interface ResolvedPath {
  existing: string;
  missing: readonly string[];
  /** lstat of `existing`. */
  stats: Stats;
}

/**
 * The root directory and the only code that turns project paths into system paths.
 *
 * Why resolving is not enough: between a check and its use someone may swap a directory for a symlink.
 *
 *     us:       resolve a/b ── is inside ──────────────── open a/b/file
 *     attacker:                           a → /etc
 *
 * On Linux a directory is therefore opened, the kernel asked where that descriptor really is (/proc/self/fd, proc(5)),
 * and everything then happens relative to the descriptor, which no swap can move. Elsewhere the directory's real path is
 * compared before and after each use; a swap in between is noticed and reported, though not prevented.
 *
 * Calls are synchronous: on a local disk each takes microseconds, a trip through the thread pool ten times as much.
 */
export class FsRoot {
  /** Absolute, without symlinks. */
  readonly path: string;
  readonly style: PathStyle;
  readonly folding: NameFolding;
  readonly pins: boolean;

  private constructor(path: string, style: PathStyle, folding: NameFolding, pins: boolean) {
    this.path = path;
    this.style = style;
    this.folding = folding;
    this.pins = pins;
  }

  /**
   * @param directory must exist
   * @param options.pins false to use the portable way on Linux too
   * @throws NotFound, NotADirectory, AccessDenied
   */
  static open(directory: string, options: { pins?: boolean; folding?: NameFolding } = {}): FsRoot {
    return translating(directory, () => {
      const path = realpathSync.native(resolve(directory));
      if (!lstatSync(path).isDirectory()) throw new ProjectFilesError("NotADirectory", { path: directory });
      const style = process.platform === "win32" ? "windows" : "posix";
      const pins = (options.pins ?? true) && canPin(path);
      return new FsRoot(path, style, options.folding ?? probeFolding(path), pins);
    });
  }

  /** System path of a canonical project path. For system calls that do not follow a final link, and for showing. */
  absolute(path: string): string {
    return path === "" ? this.path : join(this.path, path);
  }

  /**
   * Follows symlinks segment by segment without touching anything outside.
   * @param followLast false to stop at a symlink in the last segment
   * @throws OutsideRoot as soon as a link points out, even at something that does not exist (CVE-2025-53109); RootGone: of a
   * folder that is away nothing can be said to be missing
   */
  resolve(path: string, followLast = true): ResolvedPath {
    const pending = segmentsOf(path);
    let existing = "";
    let stats = this.#rootStats(path);
    let links = 0;
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      if (!stats.isDirectory()) return { existing, missing: [name, ...pending], stats };
      const candidate = joinPath(existing, name);
      const found = translating(path, () => lstatSync(this.absolute(candidate), { throwIfNoEntry: false }));
      if (found === undefined) {
        // It may have gone away since.
        this.#rootStats(path);
        return { existing, missing: [name, ...pending], stats };
      }
      if (!found.isSymbolicLink() || (!followLast && pending.length === 0)) {
        existing = candidate;
        stats = found;
        continue;
      }
      if (++links > maxLinks) throw new ProjectFilesError("OutsideRoot", { path, detail: "symlink loop" });
      const target = this.#linkTarget(candidate, existing, path);
      pending.unshift(...segmentsOf(target));
      existing = "";
      stats = this.#rootStats(path);
    }
    return { existing, missing: [], stats };
  }

  /** @throws RootGone */
  #rootStats(asked: string): Stats {
    const stats = translating(asked, () => lstatSync(this.path, { throwIfNoEntry: false }));
    if (stats?.isDirectory() !== true) throw new ProjectFilesError("RootGone");
    return stats;
  }

  /** Project path a link points at. */
  #linkTarget(link: string, directory: string, asked: string): string {
    const text = translating(asked, () => readLink(this.absolute(link), asked));
    const absolute = resolve(this.absolute(directory), text);
    const inside = relativeInside(this.path, absolute, this.style, this.folding) ?? this.#throughAlias(absolute);
    if (inside === undefined) throw new ProjectFilesError("OutsideRoot", { path: asked, detail: "symlink" });
    return inside;
  }

  /** An absolute link may name the root by another way (/tmp and /private/tmp on macOS). */
  #throughAlias(absolute: string): string | undefined {
    try {
      return relativeInside(this.path, realpathSync.native(absolute), this.style, this.folding);
    } catch {
      // Dangling: no way leads from there into the root.
      return undefined;
    }
  }

  /** On-disk spelling of what exists, for disks that fold names. */
  spelling(existing: string): string {
    if (!this.folding.foldsCase && !this.folding.foldsUnicode) return existing;
    return translating(existing, () => {
      const real = this.pins ? this.#kernelPath(existing) : realpathSync.native(this.absolute(existing));
      return relativeInside(this.path, real, this.style, this.folding) ?? existing;
    });
  }

  #kernelPath(existing: string): string {
    const descriptor = openSync(this.absolute(existing), readFlags);
    try {
      return readlinkSync(descriptorPath(descriptor));
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Opens a directory named by a path without symlinks and makes sure it is that one.
   * @throws NotFound, NotADirectory, OutsideRoot (swapped), RootGone
   */
  openDirectory(directory: string): FsDirectory {
    try {
      return this.#opened(directory);
    } catch (error) {
      if (isProjectFilesError(error, "NotFound", "NotADirectory")) this.#rootStats(directory);
      throw error;
    }
  }

  #opened(directory: string): FsDirectory {
    if (!this.pins) return FsDirectory.checked(this, directory);
    const absolute = this.absolute(directory);
    const descriptor = translating(directory, () => openSync(absolute, readFlags | directoryOnly));
    try {
      const actual = readlinkSync(descriptorPath(descriptor));
      if (actual !== absolute && identityOf(actual, this.folding) !== identityOf(absolute, this.folding)) {
        const gone = actual === `${absolute} (deleted)`;
        throw new ProjectFilesError(gone ? "NotFound" : "OutsideRoot", { path: directory });
      }
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return FsDirectory.pinned(this, directory, descriptor);
  }
}

/** EINVAL: it was a link a moment ago. */
function readLink(absolute: string, asked: string): string {
  try {
    return readlinkSync(absolute);
  } catch (error) {
    if (systemCode(error) !== "EINVAL") throw error;
    throw new ProjectFilesError("OutsideRoot", { path: asked, detail: "changed meanwhile", cause: error });
  }
}

function canPin(root: string): boolean {
  if (process.platform !== "linux") return false;
  const descriptor = openSync(root, readFlags | directoryOnly);
  try {
    return fstatSync(descriptor).isDirectory() && readlinkSync(descriptorPath(descriptor)) === root;
  } catch (error) {
    // No /proc in this container: fall back to the portable way.
    if (systemCode(error) !== "ENOENT") throw error;
    return false;
  } finally {
    closeSync(descriptor);
  }
}
