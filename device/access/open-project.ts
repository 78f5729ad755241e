import { OpenAiModel } from "../../shared/llm/openai-model.ts";
import type { ConfigPlace } from "../config/config-schema.ts";
import { personalLimits, personalPlaces, readPersonalConfig, wantsCommits } from "../config/personal-config.ts";
import { DeviceError } from "../errors.ts";
import { isProjectFilesError } from "../files/errors.ts";
import { isBucketAddress } from "../files/place/bucket-address.ts";
import { openFolder, placeOf } from "../files/place/folder-place.ts";
import { Extractor } from "../folders/extraction/extractor.ts";
import { asScanError } from "../folders/scanner/scan-error.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import { gitCommits } from "./commits/git-commits.ts";
import type { ContentSearch } from "./content-search.ts";
import { FileAccess } from "./file-access.ts";
import { modelMergeProposer } from "./model-merge-proposer.ts";
import { openProjectDatabase, type ProjectDatabase } from "./open-access.ts";
import type { Approver } from "./policy/approver.ts";
import { modelSummarizer } from "./summaries/model-summarizer.ts";
import type { PaidSummaries } from "./summaries/summaries.ts";
import { prune, type Retention } from "./versions/retention.ts";

/** An OpenAI-compatible endpoint for summaries and merge proposals; without one the built-in summariser is used. */
export interface ReviewModel {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly model: string;
}

export interface OpenProjectOptions extends TimeAndIds {
  /** A directory's path, or a bucket's address. */
  readonly root: string;
  readonly dataFolder: string;
  readonly approver: Approver;
  readonly reviewModel?: ReviewModel | undefined;
  /** What counts more than the configuration: of the environment, of the command line; what counts most first. */
  readonly overrides?: readonly ConfigPlace[];
  readonly retention?: Retention;
  /** The index of this folder, if it has one. */
  readonly content?: ContentSearch | undefined;
  /** What a scan of this folder has said of its files. */
  readonly paidSummaries?: PaidSummaries | undefined;
  /** As in `FileAccessOptions`. */
  readonly answersKey?: Uint8Array | undefined;
  /** False for who opens single files by their names: the registry of all files stays as it was. Default true. */
  readonly refreshesRegistry?: boolean;
  /** Nobody waits for it any more; what is known of the files by then is kept. */
  readonly signal?: AbortSignal | undefined;
  /** Told how many files of the folder were looked at, after each. */
  readonly onFile?: ((files: number) => void) | undefined;
}

export interface OpenProject {
  readonly root: string;
  readonly access: FileAccess;
  readonly database: ProjectDatabase;
  /** What a scan of the folder has said of its files, where one has. */
  readonly paid: PaidSummaries | undefined;
  close(): void;
}

/**
 * Opens a folder for file access: puts right what was interrupted, lets go of old history, brings the registry up to date.
 *
 * @throws DeviceError `usage` (no such folder), `config_unreadable`, `interrupted`, those of {@link asScanError} and of
 * {@link openProjectDatabase}
 */
export async function openProject(options: OpenProjectOptions): Promise<OpenProject> {
  const { dataFolder, approver, reviewModel, retention, content, paidSummaries, answersKey, now, newId } = options;
  const { refreshesRegistry = true, signal, onFile } = options;
  const place = existingPlace(options.root);
  // How a bucket is reached is no part of its place.
  const root = isBucketAddress(options.root) ? options.root : place;
  const places = [...(options.overrides ?? []), ...personalPlaces(readPersonalConfig(dataFolder), place)];
  const files = openedFolder(root);
  const database = openProjectDatabase(dataFolder, place);
  // Its thread is started for the first document, and keeps nobody from ending.
  const extractor = new Extractor();
  try {
    const model = reviewModel && new OpenAiModel(reviewModel);
    const access = new FileAccess({
      files,
      store: database.store,
      lease: database.lease,
      dataFolder,
      approver,
      rules: places,
      limits: personalLimits(places),
      recorder: wantsCommits(places) && !isBucketAddress(root) ? gitCommits(root) : undefined,
      content,
      paidSummaries,
      readsDocuments: (job) => extractor.extract(job),
      answersKey,
      now,
      newId,
      ...(model && {
        summarizer: modelSummarizer(model, reviewModel.model),
        mergeProposer: modelMergeProposer(model),
      }),
    });
    await (refreshesRegistry ? access.start(signal, onFile) : access.recover());
    prune(database.store, now(), retention);
    const close = () => {
      void extractor.close();
      database.close();
    };
    return { root, access, database, paid: paidSummaries, close };
  } catch (error) {
    database.close();
    if (isProjectFilesError(error, "Cancelled")) throw new DeviceError("interrupted", { cause: error });
    throw isProjectFilesError(error) ? asScanError(error, root) : error;
  }
}

function openedFolder(root: string): ReturnType<typeof openFolder> {
  try {
    return openFolder(root);
  } catch (error) {
    throw isProjectFilesError(error) ? asScanError(error, root) : error;
  }
}

/** What a folder is known by. @throws DeviceError `usage` when there is none */
export function existingPlace(root: string): string {
  try {
    return placeOf(root);
  } catch (error) {
    if (error instanceof DeviceError) throw error;
    throw new DeviceError("usage", { sentence: `There is no folder ${root}; check how it is written.`, cause: error });
  }
}
