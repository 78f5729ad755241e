import type { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { ChangeApplier } from "../changes/change-applier.ts";
import type { PathLocks } from "../changes/path-locks.ts";
import type { WriteLease } from "../changes/write-lease.ts";
import type { ChangeRecorder } from "../commits/git-commits.ts";
import type { ContentSearch } from "../content-search.ts";
import type { MergeProposer } from "../merge-proposer.ts";
import type { Documents } from "../reading/documents.ts";
import type { LargeTexts } from "../reading/large-text.ts";
import type { Registry } from "../registry.ts";
import type { AccessStore } from "../store/access-store.ts";
import type { Summaries } from "../summaries/summaries.ts";
import type { ContentNames } from "./content-names.ts";

/** What all calls on one project share. */
export interface AccessKit {
  readonly files: ProjectFiles;
  readonly store: AccessStore;
  readonly registry: Registry;
  readonly applier: ChangeApplier;
  readonly locks: PathLocks;
  readonly lease: WriteLease;
  readonly redactor: Redactor;
  readonly names: ContentNames;
  readonly largeTexts: LargeTexts;
  readonly documents: Documents;
  readonly summaries: Summaries;
  /** Undefined where the folder has no index. */
  readonly content: ContentSearch | undefined;
  readonly mergeProposer: MergeProposer | undefined;
  /** Notes changes elsewhere as well; undefined where nobody wants that. */
  readonly recorder: ChangeRecorder | undefined;
  readonly now: () => number;
  readonly newId: () => string;
  /** Text files larger than this are read in parts only. */
  readonly maxTextBytes: number;
  readonly diffTimeMs: number;
}
