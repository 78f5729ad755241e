/** Why nothing is said about a file's content. The manifest has a row for it. */
export const skipReasons = {
  too_large: "larger than the limit for its type",
  empty: "empty",
  permission_denied: "not readable by this user",
  unstable: "changed while it was read",
  placeholder: "not on this disk (kept in the cloud)",
  unreadable_disk: "the disk could not read it",
  encrypted: "protected by a password",
  corrupt: "damaged, or not what its name says",
  no_text: "without any text",
  binary: "not text",
  too_complex: "too much to unpack",
  timed_out: "took too long to read",
  /** The manifest says what it is about all the same: see {@link readInPart}. */
  read_in_part: "read in part: the rest lies beyond a limit of pages, length or time",
  password_export: "a list of passwords, as browsers and password managers export it",
} as const;
export type SkipReason = keyof typeof skipReasons;

/** Stands with a file that has a summary, and can be searched, as far as it was read. */
export const readInPart = "read_in_part" satisfies SkipReason;

/** Why an entry of the folder is not in the manifest at all. */
export const omissionReasons = {
  unsupported: "of a type that is not read",
  ignored: "named by an ignore file",
  ignored_folders: "folders named by an ignore file",
  secret: "made to hold credentials",
  denied: "withheld by the access rules",
  own_data: "folders of this device's own data",
  symlink: "symbolic links",
  special: "pipes, sockets and devices",
  unaddressable: "with names that no path can have",
  vanished: "gone while being looked at",
  unreadable_folders: "folders or ignore files this user cannot read",
  too_deep: "too many folders deep",
  too_many: "beyond the number of files a project may have",
} as const;
export type OmissionReason = keyof typeof omissionReasons;

export type LeftOutReason = SkipReason | OmissionReason;

/** Everything a scan left out, by reason; unsupported files also by type. */
export interface LeftOut {
  readonly byReason: Readonly<Partial<Record<LeftOutReason, number>>>;
  /** By extension, lower case without the dot; "" for none, "*" for types beyond those counted. */
  readonly unsupported: Readonly<Record<string, number>>;
}

/** Whether a code says why a scan says nothing about a file's content, or why an entry is not in the manifest at all. */
export const isLeftOutReason = (code: string): code is LeftOutReason =>
  Object.hasOwn(skipReasons, code) || Object.hasOwn(omissionReasons, code);
/** Whether a code says why nothing is said about a file's content. */
export const isSkipReason = (code: string): code is SkipReason => Object.hasOwn(skipReasons, code);

/** What is left out, said in a few words; undefined for codes from elsewhere. */
export function wordsFor(reason: string): string | undefined {
  const words: Record<string, string> = { ...skipReasons, ...omissionReasons };
  return words[reason];
}
