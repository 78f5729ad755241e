export interface GrepOptions {
  /** Default `literal`. */
  syntax?: "literal" | "regex";
  /** Unicode simple case folding. */
  ignoreCase?: boolean;
  /** Lines before and after each match. Default 0. */
  contextLines?: number;
  /** Only these files and what lies under these directories. A file named here is searched although ignored. */
  paths?: readonly string[];
  /** As in `WalkOptions`. */
  extensions?: readonly string[];
  globs?: readonly string[];
  ignoreRules?: boolean;
  /** Files it refuses are passed over, unopened and uncounted. */
  mayOpen?: (path: string) => Promise<boolean>;
  /** Matching lines given per file. Default 1,000. */
  maxMatchesPerFile?: number;
  /** Matching lines given in all. Default 10,000. */
  maxMatches?: number;
  /** Larger files are counted and left out. Default 64 MiB. */
  maxFileBytes?: number;
  /** Longer lines are cut around the match. Default 2,000 characters. */
  maxLineChars?: number;
  signal?: AbortSignal;
}

export interface GrepMatch {
  path: string;
  /** 1-based. */
  line: number;
  kind: "match" | "context";
  /** The line without its ending, in the charset the file is most likely in; Latin-1 where that is not exact (`legacyText`). */
  text: string;
  /** True when `text` was cut to `maxLineChars`. */
  cut: boolean;
}

/** What a search did and did not look at. */
export interface GrepSummary {
  filesSearched: number;
  filesMatched: number;
  matches: number;
  binaryFiles: number;
  tooLargeFiles: number;
  vanishedFiles: number;
  unreadableFiles: number;
  /** Folders and ignore files that may not be read. */
  unreadableFolders: number;
  /** Entries that no path can name. */
  unaddressableNames: number;
  /** Files whose matches were cut at `maxMatchesPerFile`. */
  cappedFiles: number;
  /** True when `maxMatches` ended the search early. */
  capped: boolean;
}

export interface GrepStream extends AsyncIterable<GrepMatch> {
  /** Counts up while the search proceeds. */
  readonly summary: Readonly<GrepSummary>;
}
