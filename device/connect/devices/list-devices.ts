import { isScoutsError } from "../../../events/errors.ts";
import { type DevicesResponse, devicesResponse } from "../../../events/http/device.ts";
import type { DeviceId } from "../../../events/ids.ts";
import { exactError } from "../../exact-sentences.ts";
import { askCloud, type CloudApi } from "../cloud-api.ts";

type Seen = DevicesResponse["devices"][number];

/** A device of the person as the home knows it. */
export interface ListedDevice extends Seen {
  readonly isThisOne: boolean;
}

/**
 * The person's devices that are connected to the home, or were within two hours: this one first, then those that are connected.
 *
 * @param self this device, which may have been away for longer: it is in the list only if the home knows it
 * @throws ScoutsError; DeviceError `request_refused`
 */
export async function listDevices(api: CloudApi, self: DeviceId): Promise<ListedDevice[]> {
  const { devices } = await askCloud(api, "GET", "/api/v1/devices", devicesResponse).catch((cause: unknown) => {
    // A home of an earlier version has no such address.
    throw isScoutsError(cause, "not_found") ? exactError("request_refused", "answer", {}, { cause }) : cause;
  });
  return devices
    .map((each) => ({ ...each, isThisOne: each.deviceId === self }))
    .sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne));
}
