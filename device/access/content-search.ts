/** A passage that fits a search, as it stands in its file now, without credentials. */
export interface ContentPassage {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Titles it stands under; "" when there are none. */
  readonly heading: string;
  /** How well it fits; comparable within one answer only. */
  readonly score: number;
  readonly text: string;
  /** Paths of files that say the same. */
  readonly alsoIn: readonly string[];
}

/** Something that an earlier run left about a project's files, and that fits a search. */
export interface EarlierContent {
  readonly kind: "answer" | "artifact";
  readonly id: string;
  /** The question that was answered, or what was looked up. */
  readonly title: string;
  /** When, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Of its text the part that fits best. */
  readonly text: string;
  /** Paths of all files it rests on; at least one. */
  readonly files: readonly string[];
}

export interface FoundContent {
  /** Best first. */
  readonly passages: readonly ContentPassage[];
  /** Best first; what only repeats files that are among the passages is left out. */
  readonly earlier: readonly EarlierContent[];
  /** Something has all that was asked for; otherwise these are the nearest misses. */
  readonly hasAll: boolean;
  /** Files in which was looked. */
  readonly files: number;
  /** Words that are there and look like those that were not found. */
  readonly near: readonly string[];
  readonly notes: readonly string[];
}

/** Search of one project's content by an index; see device/knowledge. */
export interface ContentSearch {
  /** MUST show nothing that the project's rules of this moment withhold. @param limit of files */
  find(query: string, limit: number): Promise<FoundContent>;
}
