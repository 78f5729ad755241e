import { policyFile } from "./rules.ts";

/** Paths whose content decides what programs do next: never for a model to write. */
export const protectedFromWriting = [
  policyFile,
  ".git",
  ".scouts",
  ".mcp.json",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".cursor/mcp.json",
  ".vscode/mcp.json",
];
/** The device's own data, should its folder lie in the project. */
export const protectedFromReading = [".scouts"];
/** What the person keeps from models, in gitignore's language. */
export const scoutsIgnoreFile = ".scoutsignore";
/** Read by editors, shells and CI, which run what they find. */
export const writeAsks = [
  ".vscode",
  ".idea",
  ".claude",
  ".cursor",
  ".github/workflows",
  ".husky",
  ".envrc",
  ".gitattributes",
];

const exact = /^(?:[\w.-]*[\w-])?$/;

/**
 * How a careless disk may know a name: case folded, one Unicode form, without characters that HFS+ ignores (git's
 * `is_hfs_dotgit`), without the trailing dots, spaces and streams that NTFS drops, and NTFS's short name of `.git`
 * (git's `is_ntfs_dotgit`). Stricter than the disk at hand may be, on purpose: the list holds everywhere.
 */
function folded(segment: string): string {
  // Nearly all names: in them there is nothing but capitals to fold.
  if (exact.test(segment)) return segment.toLowerCase();
  const plain = segment
    .replace(/[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/(?<![. ])[. ]+$/, "");
  return /^git~\d+$/.test(plain) ? ".git" : plain;
}

function lies(path: string, under: readonly string[]): boolean {
  const segments = path.split(/[/\\]/).map(folded);
  return under.some((place) => {
    const wanted = place.split("/");
    // A repository or an editor's settings may lie in any folder.
    return segments.some((_, at) => wanted.every((name, index) => segments[at + index] === name));
  });
}

/** Whether no tool may write there, whatever the rules say. A listed name counts at any depth. @param path canonical */
export const isProtectedFromWriting = (path: string): boolean => lies(path, protectedFromWriting);
/** Whether no tool may read there, whatever the rules say. A listed name counts at any depth. @param path canonical */
export const isProtectedFromReading = (path: string): boolean => lies(path, protectedFromReading);
/** Whether it says what is kept from models, which no model has a say in. @param path canonical */
export const isScoutsIgnore = (path: string): boolean => lies(path, [scoutsIgnoreFile]);
/** Whether some program runs what is written there, so that a person is asked first. @param path canonical */
export const writingRunsSomething = (path: string): boolean => lies(path, writeAsks);
