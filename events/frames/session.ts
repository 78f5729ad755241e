import * as z from "zod";
import { deviceId, frameId, sessionId } from "../ids.ts";
import { round } from "../proposals/proposal.ts";
import { decisionOutcomes } from "../proposals/verdict.ts";
import { toldCode } from "../told-code.ts";

const id = frameId;

const hello = z.object({
  type: z.literal("hello"),
  id,
  protocol: z.number().int(),
  deviceId,
  /** The device takes `scout_proposals`: absent where it knows only the frame for one. */
  takesProposals: z.literal(true).optional(),
});
const ping = z.object({ type: z.literal("ping"), id });
const bye = z.object({ type: z.literal("bye"), id });

/** What a device says of its session. */
export const sessionClientFrames = [hello, ping, bye] as const;

const sessionReady = z.object({
  type: z.literal("session_ready"),
  inReplyTo: frameId,
  sessionId,
  sessionKey: z.string(),
  limits: z.record(z.string(), z.number()),
  serverTime: z.number().int().nonnegative(),
});
const accepted = z.object({
  type: z.literal("accepted"),
  inReplyTo: frameId,
  /** What became of a decision: it counts, or another one did, of its round or of a later one. */
  decision: z.enum(["counted", "decided_elsewhere"]).optional(),
  /** As what the proposal is decided, and in which round; without an outcome that round is open. */
  outcome: z.enum(decisionOutcomes).optional(),
  round: round.removeDefault().optional(),
});
const pong = z.object({ type: z.literal("pong"), inReplyTo: frameId });

/** What the cloud says of it, and that it has taken something. */
export const sessionServerFrames = [sessionReady, accepted, pong] as const;

const errorFrame = z.object({
  type: z.literal("error"),
  code: toldCode,
  message: z.string(),
  inReplyTo: frameId.optional(),
  /** Facts of the refusal: a limit, a time. */
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});

/** The cloud refuses a frame, or ends a session. */
export const errorServerFrames = [errorFrame] as const;
