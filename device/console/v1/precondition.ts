/** What a request says that it has seen of a file (RFC 9110 §13.1). */
export type Precondition =
  | { readonly kind: "seen"; readonly hash: string }
  | { readonly kind: "absent" }
  /** It says nothing, or nothing that would keep an edit of somebody else from being overwritten. */
  | { readonly kind: "none"; readonly why: string };

const strongTag = /^"([^"]*)"$/;
const hash = /^[0-9a-f]{64}$/;
/** No content is called so: what a caller names that is no hash matches nothing. */
const nobodysHash = "0".repeat(64);

/** The name of a content as an entity tag. */
export const tagOf = (contentHash: string): string => `"${contentHash}"`;

/**
 * Reads `If-Match` and `If-None-Match` of a request that changes a file. `If-Match: *` is true of every content, so it would
 * overwrite what nobody has looked at: it is no condition here.
 */
export function preconditionOf(ifMatch: string | undefined, ifNoneMatch: string | undefined): Precondition {
  if (ifMatch !== undefined && ifNoneMatch !== undefined)
    return { kind: "none", why: "Say If-Match or If-None-Match, not both." };
  if (ifNoneMatch !== undefined)
    return ifNoneMatch.trim() === "*" ? { kind: "absent" } : { kind: "none", why: "If-None-Match takes * here." };
  if (ifMatch === undefined)
    return {
      kind: "none",
      why: 'Say If-Match: "<hash>" with the ETag that was read, or If-None-Match: * for a new file.',
    };
  if (ifMatch.trim() === "*")
    return { kind: "none", why: "If-Match: * would overwrite what nobody has seen; name the hash." };
  // A weak tag never matches strongly, and one content at a time is edited (RFC 9110 §8.8.3.2).
  const [, named = ""] = strongTag.exec(ifMatch.trim()) ?? [];
  return { kind: "seen", hash: hash.test(named) ? named : nobodysHash };
}

/** Whether a reader has a content already (`If-None-Match` of a GET; weak comparison). */
export const hasAlready = (ifNoneMatch: string | undefined, contentHash: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => tag.trim().replace(/^W\//, "") === tagOf(contentHash));
