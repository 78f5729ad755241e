import type { ProjectId } from "../../../../events/ids.ts";
import type { ProjectFiles } from "../../../files/project-files.ts";
import type { FolderSnapshot } from "../../../store/folder-schema.ts";
import type { DeviceStore } from "../../../store/open.ts";
import type { ScanLimits } from "../limits.ts";
import type { ReadingRules } from "../reading-rules.ts";
import type { LeftOut } from "../reasons.ts";
import type { Survey } from "./survey.ts";

/** A folder beside its manifest. */
export interface Look {
  /** Of all of the folder, whether or not all of it had to be walked. */
  readonly found: Survey;
  /** The folder looks as the last scan left it: nothing was walked. */
  readonly isAsItWas: boolean;
  /** Everything that is not in the manifest. */
  readonly leftOut: LeftOut;
  readonly basis: string;
  /** What the next look can be compared with; undefined when not all was seen, or there is too much of it. */
  readonly directories: FolderSnapshot["directories"] | undefined;
}

export interface LookOptions {
  readonly store: DeviceStore;
  readonly files: ProjectFiles;
  readonly projectId: ProjectId;
  readonly rules: ReadingRules;
  readonly limits: ScanLimits;
  /** This machine's clock, in milliseconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly onEntries?: ((count: number) => void) | undefined;
}
