import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, posix } from "node:path";
import { fromSystem, systemCode } from "../backends/fs/fs-errors.ts";
import { contentHash } from "../content-hash.ts";
import { isProjectFilesError, ProjectFilesError, throwIfCancelled } from "../errors.ts";
import { joinPath, parentOf } from "../paths/project-path.ts";
import { hasLinks, type ProjectFiles } from "../project-files.ts";
import type { FileState, MaterializeOptions } from "./materialize-types.ts";
import { type BaseStates, permissionBits } from "./sync-back.ts";

/** What was put into a view. */
export interface FilledView {
  readonly base: BaseStates;
  /** Symlinks by path, with what each says. */
  readonly links: ReadonlyMap<string, string>;
  readonly leftOut: readonly string[];
}

/** Copies files, and links that lead from one of them to another, into an empty directory. */
export async function fillView(store: ProjectFiles, root: string, options: MaterializeOptions): Promise<FilledView> {
  const base = new Map<string, FileState>();
  const leftOut: string[] = [];
  const seenLinks: string[] = [];
  const { mayCopy = async () => true } = options;
  let roomBytes = options.maxTotalBytes ?? 1024 ** 3;
  const walk = store.walk({
    ignoreRules: false,
    skipNames: [],
    onDirectory: (directory, entries) => {
      for (const { name, kind } of entries) if (kind === "symlink") seenLinks.push(joinPath(directory, name));
    },
    ...(options.globs && { globs: options.globs }),
    ...(options.signal && { signal: options.signal }),
  });
  for await (const { path } of walk) {
    throwIfCancelled(options.signal);
    if (!(await mayCopy(path))) continue;
    const copied = await copyOut(store, path, root, Math.min(options.maxFileBytes ?? roomBytes, roomBytes));
    if (copied === "gone") continue;
    if (copied === "unreadable") leftOut.push(path);
    else if (copied !== "too large") {
      base.set(path, copied.state);
      roomBytes -= copied.sizeBytes;
    } else if (options.maxFileBytes !== undefined && options.maxFileBytes <= roomBytes) leftOut.push(path);
    else throw new ProjectFilesError("TooLarge", { path, detail: "the files to materialise in all" });
  }
  const wanted: string[] = [];
  for (const path of seenLinks) if (await mayCopy(path)) wanted.push(path);
  const links = await copyLinks(store, wanted, root, leftOut);
  return { base, links, leftOut };
}

async function copyOut(
  store: ProjectFiles,
  path: string,
  root: string,
  maxBytes: number,
): Promise<{ state: FileState; sizeBytes: number } | "too large" | "gone" | "unreadable"> {
  let bytes: Uint8Array;
  let mode: number;
  try {
    mode = (await store.metadata(path)).mode & permissionBits;
    bytes = await store.read(path, { maxBytes });
  } catch (error) {
    if (isProjectFilesError(error, "TooLarge")) return "too large";
    // Somebody works on the files meanwhile.
    if (isProjectFilesError(error, "NotFound", "NotADirectory", "NotAFile")) return "gone";
    if (isProjectFilesError(error, "AccessDenied")) return "unreadable";
    throw error;
  }
  const target = join(root, path);
  try {
    // In a bucket a file may be called as the directory of another is; a disk has one of them.
    if (!(await makeDirectory(dirname(target)))) return "unreadable";
    // Exclusive: on a disk that folds case, README and readme would silently become one.
    await writeFile(target, bytes, { flag: "wx", mode: 0o600 });
    await chmod(target, mode);
  } catch (error) {
    const detail = systemCode(error) === "EEXIST" ? "this disk folds its name with another file's" : "copying out";
    throw new ProjectFilesError(fromSystem(error, path).code, { path, detail, cause: error });
  }
  return { state: { hash: contentHash(bytes), mode }, sizeBytes: bytes.length };
}

/** False where a file is in the way. */
async function makeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return true;
  } catch (error) {
    if (["EEXIST", "ENOTDIR"].includes(systemCode(error) ?? "")) return false;
    throw error;
  }
}

/**
 * Links such as those of `node_modules/.bin`. One that leads out of the files would have whoever writes through it change
 * what is no copy: it is left out, and so is one with an absolute target.
 */
async function copyLinks(
  store: ProjectFiles,
  paths: readonly string[],
  root: string,
  leftOut: string[],
): Promise<Map<string, string>> {
  const links = new Map<string, string>();
  if (!hasLinks(store)) return links;
  for (const path of paths) {
    const target = await store.linkTarget(path);
    if (target === undefined) continue;
    if (!staysInside(path, target)) leftOut.push(path);
    else {
      await mkdir(dirname(join(root, path)), { recursive: true, mode: 0o700 });
      await symlink(target, join(root, path));
      links.set(path, target);
    }
  }
  return links;
}

function staysInside(path: string, target: string): boolean {
  if (isAbsolute(target)) return false;
  const names = target.split(/[\\/]/).filter((name) => name !== "" && name !== ".");
  // `..` behind a name goes up from wherever a link of that name leads: links that each stay inside lead out together.
  if (names.some((name, at) => name === ".." && at > 0 && names[at - 1] !== "..")) return false;
  const to = posix.join(parentOf(path), ...names);
  return to !== ".." && !to.startsWith("../");
}
