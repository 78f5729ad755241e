import { ProjectFilesError } from "../errors.ts";
import type { FileMetadata } from "../file-metadata.ts";
import { emptyGrepSummary } from "../grep/grep.ts";
import type { GrepMatch, GrepStream } from "../grep/grep-types.ts";
import { materializeFiles } from "../materialize/materialize.ts";
import type { MaterializedView, MaterializeOptions } from "../materialize/materialize-types.ts";
import { openView } from "../materialize/open-view.ts";
import { exactNames } from "../paths/containment.ts";
import type { DirEntry, ProjectFiles } from "../project-files.ts";
import { noOmissions } from "../walk/walk.ts";
import type { FileEntry, FileWalk } from "../walk/walk-types.ts";

/** No project is open: listings are empty, everything else fails with `NoProjectFiles`. */
export class NullProjectFiles implements ProjectFiles {
  readonly displayRoot = "<no project>";
  readonly folding = exactNames;
  readonly isReadOnly = false;

  read(path: string): Promise<Uint8Array> {
    return refuse(path);
  }
  write(path: string): Promise<void> {
    return refuse(path);
  }
  async exists(): Promise<boolean> {
    return false;
  }
  metadata(path: string): Promise<FileMetadata> {
    return refuse(path);
  }
  async listDir(): Promise<DirEntry[]> {
    return [];
  }
  walk(): FileWalk {
    return { omitted: noOmissions(), [Symbol.asyncIterator]: nothing<FileEntry> };
  }
  delete(path: string): Promise<void> {
    return refuse(path);
  }
  rename(from: string): Promise<void> {
    return refuse(from);
  }
  grep(): GrepStream {
    return { summary: emptyGrepSummary(), [Symbol.asyncIterator]: nothing<GrepMatch> };
  }
  /** A program that needs no project gets an empty directory, which goes with it; there is nothing that could be shown as it is. */
  async materialize(options: MaterializeOptions = {}): Promise<MaterializedView> {
    return options.copy ? materializeFiles(this, options, openView) : refuse();
  }
  canonical(path: string): Promise<string> {
    return refuse(path);
  }
}

async function refuse(path?: string): Promise<never> {
  throw new ProjectFilesError("NoProjectFiles", path === undefined ? {} : { path });
}

async function* nothing<T>(): AsyncGenerator<T> {}
