import { uploadsResponse } from "../../events/http/device.ts";
import type { Payload } from "../../events/payload.ts";
import { objectContext } from "../../shared/privacy/object-context.ts";
import type { SessionSealer } from "../../shared/privacy/session-sealer.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import type { Reachable } from "./raw-device.ts";

/** Version, IV and tag: as SessionSealer has it. */
const sealBytes = 29;

/** Seals a text under the device's session and uploads it. */
export async function upload(
  { api }: Reachable,
  deviceId: string,
  sealer: SessionSealer,
  text: string,
): Promise<Extract<Payload, { upload: unknown }>> {
  const plain = new TextEncoder().encode(text);
  const answer = await fetch(`${api.apiUrl}/api/v1/uploads`, {
    method: "POST",
    headers: { authorization: `Bearer ${await api.auth()}`, "content-type": "application/json" },
    body: JSON.stringify({ deviceId, sizes: [plain.length + sealBytes] }),
  });
  const [offer] = uploadsResponse.parse(await answer.json()).uploads;
  if (!offer) throw new Error("nothing was offered");
  const sealed = sealer.sealBytes(new Transient(plain), objectContext(offer.ref.key));
  const form = new FormData();
  for (const [name, value] of Object.entries(offer.fields)) form.append(name, value);
  form.append("file", new Blob([new Uint8Array(sealed)]));
  const posted = await fetch(offer.url, { method: "POST", body: form });
  if (!posted.ok) throw new Error(`The upload was answered ${posted.status}`);
  return { upload: offer.ref };
}
