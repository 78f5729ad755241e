import { isScoutsError } from "../../events/errors.ts";
import { delimited, escapedJson, escapedName } from "../../shared/privacy/delimiters.ts";
import type { AuditTrail } from "../access/audit/trail.ts";
import { isAccessError } from "../access/errors.ts";
import type { ActionResult } from "../actions/action-result.ts";
import type { Clock } from "../connection/clock.ts";
import { DeviceError, type DeviceErrorCode, isDeviceError } from "../errors.ts";
import type { AttachedText, AttachmentHandlers } from "./attachment-handler.ts";
import { attachmentLimits } from "./attachment-limits.ts";
import { type AttachmentRef, attachmentRef } from "./attachment-ref.ts";

/** What became of one thing that was to be attached, for the person. */
export interface AttachmentOutcome {
  readonly name: string;
  /** `cut`: the agent is shown a part, and can look at more of it; `isCut` says whether some of it is missing altogether. */
  readonly outcome: "attached" | "cut" | "refused";
  readonly characters: number;
  readonly isCut: boolean;
  /** Why it was refused. */
  readonly code?: string;
  readonly sentence?: string;
}

/** What a run is given when it asks for what is attached. */
export interface GatheredAttachments {
  readonly outcomes: readonly AttachmentOutcome[];
  readonly result: ActionResult;
}

export interface GatherOptions {
  readonly handlers: AttachmentHandlers;
  /** The device's own: what was attached, and what became of it. */
  readonly trail: AuditTrail;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

interface Refused {
  readonly code: DeviceErrorCode;
  readonly sentence: string;
  readonly error: DeviceError;
}

type Read = { readonly ref: AttachmentRef } & ({ readonly text: AttachedText } | { readonly refusal: Refused });

/**
 * Reads what a person attaches to a question, all at once, each within its bounds. What cannot be read is told, to the person
 * and to the agent, and the rest goes along; where nothing can be, nothing is asked.
 *
 * @throws DeviceError `attachment_invalid` (not of a kind there is, or too many), `interrupted`; the first refusal when all are
 */
export async function gatherAttachments(
  names: readonly string[],
  options: GatherOptions,
): Promise<GatheredAttachments | undefined> {
  const refs = [...new Map(names.map(attachmentRef).map((ref) => [ref.name, ref])).values()];
  if (refs.length === 0) return undefined;
  if (refs.length > attachmentLimits.count) throw new DeviceError("attachment_invalid");
  const read = await Promise.all(refs.map((ref) => readOne(ref, options)));
  if (options.signal?.aborted) throw new DeviceError("interrupted");
  const [first] = read;
  if (first && "refusal" in first && read.every((each) => "refusal" in each)) {
    const { code, sentence, error } = first.refusal;
    const named = `Not attached: ${JSON.stringify(first.ref.name)}. ${sentence}`;
    throw new DeviceError(code, { sentence: named, cause: error });
  }
  const shares = sharesOf(read.flatMap((each) => ("text" in each ? [each.text.text.length] : [])));
  return gathered(read, shares);
}

async function readOne(ref: AttachmentRef, { handlers, trail, clock, signal }: GatherOptions): Promise<Read> {
  const over = new AbortController();
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(attachmentLimits.timeMs, () => late.reject(new DeviceError("attachment_overdue")));
  const until = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
  const { bytes, characters } = attachmentLimits;
  const record = (outcome: string, more: object = {}) =>
    trail.append({
      ...{ caller: "person", session: "", tool: `attach:${ref.kind}`, decision: "none", outcome, files: [] },
      args: { name: ref.name, ...more },
    });
  try {
    const handler = handlers[ref.kind];
    if (handler === undefined) throw new DeviceError("attachment_invalid", { sentence: notHere(ref) });
    const text = await Promise.race([handler.read(ref.of, { bytes, characters, signal: until }), late.promise]);
    record("ok", { characters: text.text.length });
    return { ref, text };
  } catch (thrown) {
    const error = asDeviceError(thrown);
    record(error.code);
    return { ref, refusal: { code: error.code, sentence: error.message, error } };
  } finally {
    over.abort();
    cancel();
  }
}

const notHere = ({ kind, name }: AttachmentRef) =>
  `${JSON.stringify(name)} cannot be attached here: ${kind}: is for the command line${kind === "file" ? ", or for files of a project" : ""}.`;

/** What the parts of the device say, in the words of attachments; what they say themselves stays. */
function asDeviceError(thrown: unknown): DeviceError {
  if (isDeviceError(thrown)) return thrown;
  const cause = { cause: thrown };
  if (isAccessError(thrown)) {
    const sentence = thrown.message;
    if (isAccessError(thrown, "too_large")) return new DeviceError("attachment_too_large", { sentence, ...cause });
    if (isAccessError(thrown, "binary_file")) return new DeviceError("attachment_unreadable", { sentence, ...cause });
    const isMissing = isAccessError(thrown, "not_found", "not_a_file", "not_a_directory", "storage_failed");
    return new DeviceError(isMissing ? "attachment_unavailable" : "attachment_denied", { sentence, ...cause });
  }
  if (isScoutsError(thrown, "source_address_refused") || isScoutsError(thrown, "source_leads_round")) {
    return new DeviceError("attachment_address", cause);
  }
  if (isScoutsError(thrown, "source_too_large")) return new DeviceError("attachment_too_large", cause);
  // "It is asked again" is what is said of sources.
  if (isScoutsError(thrown, "source_unavailable")) return new DeviceError("attachment_unavailable", cause);
  if (isScoutsError(thrown)) return new DeviceError("attachment_unavailable", { sentence: thrown.message, ...cause });
  return new DeviceError("attachment_unavailable", cause);
}

/** How much of each is shown at once: what short ones leave goes to the long ones. */
function sharesOf(lengths: readonly number[]): number[] {
  const shares = lengths.map(() => 0);
  let left: number = attachmentLimits.shownCharacters;
  const order = lengths.map((length, at) => ({ length, at })).sort((a, b) => a.length - b.length);
  for (const [done, { length, at }] of order.entries()) {
    shares[at] = Math.min(length, Math.floor(left / (order.length - done)));
    left -= shares[at] ?? 0;
  }
  return shares;
}

function gathered(read: readonly Read[], shares: readonly number[]): GatheredAttachments {
  let at = 0;
  const shown: string[] = [];
  const whole: string[] = [];
  const outcomes = read.map((each): AttachmentOutcome => {
    const { name } = each.ref;
    if ("refusal" in each) {
      const { code, sentence } = each.refusal;
      return { name, outcome: "refused", characters: 0, isCut: true, code, sentence };
    }
    const { text, isCut } = each.text;
    const share = shares[at++] ?? 0;
    shown.push(delimited(text.slice(0, share).toWellFormed(), `attached ${escapedName(name)}`));
    whole.push(delimited(text, `attached ${escapedName(name)}`));
    return { name, outcome: isCut || share < text.length ? "cut" : "attached", characters: text.length, isCut };
  });
  const told = outcomes.map(({ name, outcome, characters, code }) => ({ name, outcome, characters, code }));
  const text = [escapedJson({ attached: told }), ...shown].join("\n");
  const isWhole = outcomes.every(({ outcome }) => outcome !== "cut");
  return { outcomes, result: { text, ...(isWhole ? {} : { whole: { text: whole.join("\n") } }) } };
}
