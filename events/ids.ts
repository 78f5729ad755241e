import * as z from "zod";

const ulid = "[0-7][0-9A-HJKMNP-TV-Z]{25}";

function prefixed<const P extends string>(prefix: P) {
  return z.string().regex(new RegExp(`^${prefix}_${ulid}$`));
}

/** Ids are a prefix that names the kind and a ULID (https://github.com/ulid/spec): sortable by time, readable in a log. */
export const scoutId = prefixed("sct").brand<"ScoutId">();
export const deviceId = prefixed("dev").brand<"DeviceId">();
export const sessionId = prefixed("ses").brand<"SessionId">();
export const runId = prefixed("run").brand<"RunId">();
export const frameId = prefixed("frm").brand<"FrameId">();
/** A project, a task and a tool call exist on the device; the cloud knows their ids only. */
export const projectId = prefixed("prj").brand<"ProjectId">();
export const taskId = prefixed("tsk").brand<"TaskId">();
export const callId = prefixed("cal").brand<"CallId">();
/** A trial of another purpose; its maker names it, so that asking for it again starts no second one. */
export const trialId = prefixed("trl").brand<"TrialId">();
/** One scan's worth of summaries. */
export const indexId = prefixed("idx").brand<"IndexId">();

/** `usr_` and 26 base32 characters of SHA-256(issuer, subject): stable, and says nothing about the person. */
export const userId = z
  .string()
  .regex(/^usr_[0-9a-z]{26}$/)
  .brand<"UserId">();

/** A source's own id of an item, opaque to everything but its connector. */
export const itemRef = z
  .string()
  .regex(/^[\w.~:=+-]{1,128}$/)
  .brand<"ItemRef">();

/**
 * A conversation at a source, opaque to everything but its connector: the source's own id, or a keyed hash where that
 * would say something.
 */
export const threadRef = z.string().regex(/^[\w-][\w.~:=+-]{0,127}$/);

export type ScoutId = z.infer<typeof scoutId>;
export type DeviceId = z.infer<typeof deviceId>;
export type SessionId = z.infer<typeof sessionId>;
export type RunId = z.infer<typeof runId>;
export type FrameId = z.infer<typeof frameId>;
export type ProjectId = z.infer<typeof projectId>;
export type TaskId = z.infer<typeof taskId>;
export type CallId = z.infer<typeof callId>;
export type IndexId = z.infer<typeof indexId>;
export type TrialId = z.infer<typeof trialId>;
/**
 * A file within one index session: an HMAC of its path and content hash under a key of the session, so that it says
 * nothing about the file and is another one in every session.
 */
export const fileName = z
  .string()
  .regex(/^fil_[\w-]{32}$/)
  .brand<"FileName">();

export type UserId = z.infer<typeof userId>;
export type FileName = z.infer<typeof fileName>;
export type ItemRef = z.infer<typeof itemRef>;

/** `{scoutId}.{ref}`: an ack is one keyed write, and a device that stores by it dedupes for ever. */
export const proposalId = z
  .string()
  .regex(new RegExp(`^sct_${ulid}\\.[\\w.~:=+-]{1,128}$`))
  .brand<"ProposalId">();
export type ProposalId = z.infer<typeof proposalId>;

/** Joins the two halves of a proposal's id; the inverse of {@link splitProposalId}. */
export function joinProposalId(scout: ScoutId, ref: ItemRef): ProposalId {
  return proposalId.parse(`${scout}.${ref}`);
}

/** Splits a proposal's id at the first dot (a scout id holds none, a ref may). */
export function splitProposalId(id: ProposalId): { scoutId: ScoutId; ref: ItemRef } {
  const dot = id.indexOf(".");
  return { scoutId: scoutId.parse(id.slice(0, dot)), ref: itemRef.parse(id.slice(dot + 1)) };
}
