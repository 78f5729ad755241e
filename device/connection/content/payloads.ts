import { isScoutsError } from "../../../events/errors.ts";
import { type UploadsResponse, uploadsResponse } from "../../../events/http/device.ts";
import type { DeviceId } from "../../../events/ids.ts";
import { maxUploadBytes, type Payload, type UploadRef } from "../../../events/payload.ts";
import { objectContext } from "../../../shared/privacy/object-context.ts";
import type { SessionSealer } from "../../../shared/privacy/session-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { askCloud, type CloudApi } from "../../connect/cloud-api.ts";
import { requireEncrypted } from "../../connect/encrypted-address.ts";
import { DeviceError, isDeviceError } from "../../errors.ts";
import { type BackoffOptions, fullJitterMs } from "../backoff.ts";
import { type Clock, pauseFor } from "../clock.ts";

/** Sealing adds a version, an IV and a tag (shared/privacy/session-sealer.ts). */
const sealBytes = 29;
const uploadTimeoutMs = 60_000;
const tries = 5;
const retryBackoff: BackoffOptions = { baseMs: 500, capMs: 10_000 };

export interface UploadOptions {
  readonly api: CloudApi;
  readonly deviceId: DeviceId;
  readonly sealer: () => SessionSealer;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** What a text takes in a frame's JSON, in bytes. */
export function inlineBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/**
 * Which of some texts go into the frame itself: the shortest, as many as `roomBytes` of JSON hold.
 * @returns their positions
 */
export function chooseInline(texts: readonly string[], roomBytes: number): ReadonlySet<number> {
  const chosen = new Set<number>();
  let taken = 0;
  const sized = texts.map((text, at) => ({ at, bytes: inlineBytes(text) }));
  for (const { at, bytes } of sized.sort((a, b) => a.bytes - b.bytes)) {
    if (taken + bytes > roomBytes) break;
    taken += bytes;
    chosen.add(at);
  }
  return chosen;
}

/**
 * Texts as fields of one frame: the shortest in it while `roomBytes` of JSON hold them, the others sealed under the
 * session's key and uploaded, in one offer.
 *
 * @throws ScoutsError with the cloud's code; DeviceError `upload_failed`, `frame_too_large`, `device_closed`
 */
export async function toPayloads(
  texts: readonly string[],
  roomBytes: number,
  options: UploadOptions,
): Promise<Payload[]> {
  const inline = chooseInline(texts, roomBytes);
  const bulky = texts.flatMap((text, at) => (inline.has(at) ? [] : [{ at, content: new TextEncoder().encode(text) }]));
  const payloads = texts.map((text): Payload => ({ inline: text }));
  if (bulky.length === 0) return payloads;
  const refs = await upload(
    bulky.map(({ content }) => content),
    options,
  );
  for (const [index, { at }] of bulky.entries()) {
    const ref = refs[index];
    if (ref !== undefined) payloads[at] = { upload: ref };
  }
  return payloads;
}

async function upload(contents: readonly Uint8Array<ArrayBuffer>[], options: UploadOptions): Promise<UploadRef[]> {
  const oversize = contents.find(({ length }) => length + sealBytes > maxUploadBytes);
  if (oversize !== undefined) throw new DeviceError("frame_too_large", { data: { bytes: oversize.length } });
  for (let attempt = 1; ; ) {
    try {
      return await offerAndPost(contents, options);
    } catch (error) {
      if (options.signal.aborted) throw new DeviceError("device_closed", { cause: error });
      const toldMs = toldWaitMs(error);
      if (toldMs === undefined && (attempt === tries || !mayPass(error))) throw error;
      const waitMs = toldMs ?? fullJitterMs(attempt, options.random, retryBackoff);
      await pauseFor(options.clock, waitMs, options.signal);
      if (toldMs === undefined) attempt += 1;
    }
  }
}

/** How long the cloud has told to wait until there is room for more: that is no failed try, however often it comes. */
function toldWaitMs(error: unknown): number | undefined {
  const told = isScoutsError(error, "rate_limited") ? error.data["retryAfterMs"] : undefined;
  return typeof told === "number" ? told : undefined;
}

async function offerAndPost(
  contents: readonly Uint8Array<ArrayBuffer>[],
  options: UploadOptions,
): Promise<UploadRef[]> {
  const { api, deviceId, signal } = options;
  const sealer = options.sealer();
  const request = { deviceId, sizes: contents.map(({ length }) => length + sealBytes) };
  const { uploads } = await askCloud(api, "POST", "/api/v1/uploads", uploadsResponse, request);
  return Promise.all(
    contents.map(async (content, at) => {
      const offer = uploads[at];
      if (offer === undefined) throw new DeviceError("upload_failed");
      const sealed = sealer.sealBytes(new Transient(content), objectContext(offer.ref.key));
      await post(offer, sealed, signal);
      return offer.ref;
    }),
  );
}

/** A presigned POST: the form's fields first, the bytes last (S3 API reference, "POST Object"). */
async function post(
  { url, fields }: UploadsResponse["uploads"][number],
  sealed: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new Blob([new Uint8Array(sealed)]));
  // As bytes: a form is read piece by piece, and Node throws a piece that comes after the request has ended where nobody catches it.
  const encoded = new Response(form);
  const headers = { "content-type": encoded.headers.get("content-type") ?? "" };
  const body = await encoded.bytes();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(uploadTimeoutMs)]);
  const response = await fetch(requireEncrypted(url), { method: "POST", headers, body, signal: limited }).catch(
    (cause: unknown) => {
      throw new DeviceError("upload_failed", { cause });
    },
  );
  await response.body?.cancel();
  if (!response.ok) throw new DeviceError("upload_failed", { data: { status: response.status } });
}

function mayPass(error: unknown): boolean {
  if (isScoutsError(error)) return error.kind.retry !== "never";
  return isDeviceError(error, "upload_failed") || isDeviceError(error, "request_refused");
}
