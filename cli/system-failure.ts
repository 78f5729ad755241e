/** What the file system refused, in words. */
export interface SystemFailure {
  readonly code: string;
  readonly message: string;
  /** What to do. */
  readonly recovery: string;
  readonly path?: string;
}

const ofRights = ["may not be used by this account", "Check whose it is, and what its owner allows."] as const;

/** What is the matter with a path, and what to do, by the code of the system (errno(3)). */
const words: Readonly<Record<string, readonly [is: string, cure: string]>> = {
  EACCES: ofRights,
  EPERM: ofRights,
  ENOENT: ["is not there", "Check the path."],
  ENOTDIR: ["leads through something that is no folder", "Check the path."],
  EISDIR: ["is a folder", "Name a file."],
  ENAMETOOLONG: ["has a name that is too long for this system", "Give a shorter one."],
  ELOOP: ["is a link that leads round in a circle", "Name what the link should lead to."],
  EROFS: ["lies where nothing can be written", "Name a place that can be written to."],
  EMFILE: [
    "cannot be opened: this process has as many files open as it may",
    "Raise its limit (ulimit -n 1024, or LimitNOFILE= of a systemd unit) and run the same command again.",
  ],
  ENFILE: [
    "cannot be opened: the system has as many files open as it may",
    "End other programs, or raise the limit of the system (fs.file-max on Linux, kern.maxfiles on macOS).",
  ],
  EIO: ["cannot be read or written: the disk does not answer as it should", "Check the disk and how it is connected."],
};

/** What an error may be about that names no path: a file that is open already, a connection. What else has none is no file. */
const unnamed: Readonly<Record<string, string>> = {
  EISDIR: "What was named",
  EMFILE: "A file or connection",
  ENFILE: "A file or connection",
};

/** What was open is not to be written to any more; which file it was is of no use to anybody. */
const diskReadOnly: SystemFailure = {
  code: "EROFS",
  message: "A disk that is written to can only be read just now.",
  recovery:
    "The system does that to one that fails, or was told to: look with `mount` and `dmesg`, mend that, and run the same command again: what was stored is there.",
};

const folderGone: SystemFailure = {
  code: "ENOENT",
  message: "The folder you are in is not there any more.",
  recovery: "Change to another one (cd), and run the command again.",
};

/** What is met anywhere and is about nothing that was asked for: too many open files, whatever was said of it on its way. */
export function openFilesFailureOf(error: unknown): SystemFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const isIt = "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
  return (isIt ? systemFailureOf(error) : undefined) ?? openFilesFailureOf(error.cause);
}

/** An error of the file system that nobody has said better; undefined for every other. */
export function systemFailureOf(error: unknown): SystemFailure | undefined {
  // `syscall` tells it from errors of ours and of the network.
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  const { code } = error;
  // The working folder was asked for (libuv's uv_cwd), which its error names in no path.
  if (code === "ENOENT" && error.syscall === "uv_cwd") return folderGone;
  const found = typeof code === "string" ? words[code] : undefined;
  if (typeof code !== "string" || found === undefined) return undefined;
  const [is, recovery] = found;
  const path = "path" in error && typeof error.path === "string" ? { path: error.path } : {};
  if (code === "EROFS" && !("path" in path)) return diskReadOnly;
  const what = path.path ?? unnamed[code];
  return what === undefined ? undefined : { code, ...path, message: `${what} ${is}.`, recovery };
}
