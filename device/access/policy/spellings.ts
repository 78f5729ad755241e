/** Characters that are not seen, those among them that HFS+ ignores in names (git's `is_hfs_dotgit`). */
const ignored = /[\p{Default_Ignorable_Code_Point}\u202a-\u202e\u206a-\u206f]/gu;
const plain = /^(?:[\w-]|\.(?!\/|$)|\/)*$/;

/** A name without what NTFS drops at its end: dots, blanks, streams. */
const withoutTail = (segment: string) => segment.replace(/(?<=.):.*$/s, "").replace(/(?<=[^. ])[. ]+$/, "");

/**
 * The names a path may be meant by: as it is stored, and as a disk or an eye that is less exact takes it: one Unicode form,
 * without characters that cannot be seen, without dots and blanks at the end of a name. What is kept from a model under
 * one of them is kept under all.
 */
export function spellingsOf(path: string): readonly string[] {
  if (plain.test(path)) return [path];
  const segments = path.replace(ignored, "").split("/").map(withoutTail).join("/");
  return [...new Set([path, segments.normalize("NFC"), segments.normalize("NFKC")])];
}
