import * as z from "zod";

/**
 * Why nothing could be read at a source, in `data.reason` of `source_unavailable`, where that is known. Whoever shows it has a sentence
 * for each; none repeats a word of the source's.
 */
export const unreachedReasons = [
  /** Its server's name leads to no address. */
  "name",
  /** Nothing listens at the port. */
  "port",
  /** No way leads to the address from the home. */
  "route",
  /** It has not answered in time. */
  "slow",
  /** It takes the connection and says nothing, where a server of its kind speaks first. */
  "silent",
  /** It ends the connection before it has answered. */
  "cut",
  /** It speaks nothing but TLS at the port, and was not asked to. */
  "encrypted",
  /** It was asked for TLS and speaks none. */
  "plain",
  /** Its certificate is not valid. */
  "certificate",
  /** A server of another kind answers there: a web server in place of one of mail, say. */
  "other",
  /** There is nothing at the address (HTTP 404). */
  "missing",
  /** What is there is not for everybody, or not for programs (HTTP 403). */
  "denied",
  /** It answers with another status of HTTP, in `data.status`. */
  "status",
  /** It was not asked: the home has nobody free to ask it. */
  "busy",
] as const;
export type UnreachedReason = (typeof unreachedReasons)[number];

/** The same as it is told with a failed look; absent of another failure, and where it is not known, or to a newer home only. */
export const toldUnreached = {
  reason: z.enum(unreachedReasons).optional().catch(undefined),
  status: z.number().int().optional().catch(undefined),
};
