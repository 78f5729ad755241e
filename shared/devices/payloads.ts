import { ScoutsError } from "../../events/errors.ts";
import type { SessionId, UserId } from "../../events/ids.ts";
import { type ObjectKey, objectKey, type Payload, type UploadRef } from "../../events/payload.ts";
import type { NewId } from "../ports/clock.ts";
import type { Objects, Upload } from "../ports/objects.ts";
import { objectContext } from "../privacy/object-context.ts";
import type { SessionSealer } from "../privacy/session-sealer.ts";
import { Transient } from "../privacy/transient.ts";
import type { Rate, RateLimit } from "../requests/rate-limit.ts";
import { objectPrefix, uploadOfferMs } from "./session-row.ts";

/** A key for a new object, in the prefix of a session: see {@link requireOwn}. */
export function newObjectKey(user: UserId, session: SessionId, newId: NewId): ObjectKey {
  return objectKey.parse(`${objectPrefix(user, session)}${newId()}`);
}

const mebibyte = 1024 * 1024;
/**
 * What a person's devices may upload together, in MB begun: 1,024 at once, then 20 a second: more than pictures of a folder are
 * read and summarised, on one machine too. A device waits as long as it is told.
 */
export const uploadRate: Rate = { of: "uploads", burst: 1_024, everyMs: 50 };

/** Room for sealed objects of exactly these sizes in bytes, each under a key of its own in the session's prefix. */
export function offerUploads(
  objects: Objects,
  user: UserId,
  session: SessionId,
  sizes: readonly number[],
  newId: NewId,
): Promise<readonly Upload[]> {
  const refs = sizes.map((bytes): UploadRef => ({ key: newObjectKey(user, session, newId), bytes }));
  return Promise.all(refs.map((ref) => objects.offer(ref, uploadOfferMs / 1000)));
}

/** Objects lie in the bucket for as long as their session: who offers room counts it. @throws rate_limited */
export async function chargeUploads(
  rate: Pick<RateLimit, "take">,
  user: UserId,
  sizes: readonly number[],
): Promise<void> {
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  await rate.take(user, Math.ceil(bytes / mebibyte));
}

/** @throws forbidden when a frame names an object outside its own session's prefix */
export function requireOwn(payloads: readonly Payload[], user: UserId, session: SessionId): void {
  const prefix = objectPrefix(user, session);
  for (const key of objectsOf(payloads)) {
    if (!key.startsWith(prefix)) throw new ScoutsError("forbidden");
  }
}

/** The objects that texts were uploaded to. What a frame carries itself has none. */
export function objectsOf(payloads: readonly Payload[]): ObjectKey[] {
  return payloads.flatMap((each) => ("upload" in each ? [each.upload.key] : []));
}

/** The text of a payload. @throws upload_missing, sealed_unreadable */
export async function readPayload(
  objects: Objects,
  sealer: SessionSealer,
  payload: Payload,
): Promise<Transient<string>> {
  if ("inline" in payload) return new Transient(payload.inline);
  const { key } = payload.upload;
  const sealed = await objects.get(key);
  if (!sealed) throw new ScoutsError("upload_missing");
  return sealer.openBytes(sealed, objectContext(key)).map((bytes) => new TextDecoder().decode(bytes));
}
