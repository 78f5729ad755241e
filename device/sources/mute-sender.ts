import { muteResponse, type ScoutResponse } from "../../events/http/scouts.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { listScouts } from "../connect/list-scouts.ts";
import { exactError } from "../exact-sentences.ts";
import { pathOf, scoutNamed } from "./scout-named.ts";

/** Sources whose items have no sender with an address. */
const withoutSenders: ReadonlySet<string> = new Set(["feed"]);

/**
 * Mutes a sender, or ends that, for one scout or for every scout on mail.
 *
 * @param text an address, or how mail writes it: `Ada <ada@example.com>`
 * @param scout how a person names the one scout
 * @returns the scouts it counts for
 * @throws DeviceError `usage` (no address, or no scout on mail), `scout_unknown`
 */
export async function muteSender(
  api: CloudApi,
  text: string,
  muted: boolean,
  scout?: string,
): Promise<{ readonly address: string; readonly scouts: readonly ScoutResponse[] }> {
  const address = addressIn(text);
  const all = await listScouts(api);
  const scouts =
    scout === undefined ? all.filter(({ sourceType }) => !withoutSenders.has(sourceType)) : [scoutNamed(all, scout)];
  if (scouts.length === 0) throw exactError("usage", "noMail");
  for (const { id } of scouts) await askCloud(api, "POST", `${pathOf(id)}/mute`, muteResponse, { address, muted });
  return { address, scouts };
}

function addressIn(text: string): string {
  const address = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text;
  if (/^[^\s<>@]+@[^\s<>@]+$/.test(address.trim())) return address.trim().toLowerCase();
  throw exactError("usage", "address", {}, { data: { field: "address" } });
}
