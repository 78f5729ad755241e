import * as z from "zod";
import { deviceId } from "../ids.ts";
import { maxUploadBytes, uploadRef } from "../payload.ts";
import { timestamp } from "./page.ts";

/** `POST /api/v1/device/tickets` */
export const ticketRequest = z.object({ deviceId });
export const ticketResponse = z.object({ ticket: z.string(), expiresInSeconds: z.number().int(), socketUrl: z.url() });
export type TicketResponse = z.infer<typeof ticketResponse>;

/**
 * `GET /api/v1/devices`: of the person, those that are connected or were within two hours. `seenAt` is now for one that is connected;
 * else when it was last, at the latest.
 */
export const devicesResponse = z.object({
  devices: z.array(z.object({ deviceId, isConnected: z.boolean(), seenAt: timestamp })),
});
export type DevicesResponse = z.infer<typeof devicesResponse>;

/** `POST /api/v1/uploads`: room for so many sealed objects of exactly these sizes in bytes, in the device's session. */
export const uploadsRequest = z.object({
  deviceId,
  sizes: z.array(z.number().int().min(1).max(maxUploadBytes)).min(1).max(20),
});
/** A presigned POST each, in the order of the sizes: send `fields` and then the bytes as `file`, in one form. */
export const uploadsResponse = z.object({
  uploads: z.array(z.object({ ref: uploadRef, url: z.url(), fields: z.record(z.string(), z.string()) })),
  expiresInSeconds: z.number().int(),
});
export type UploadsResponse = z.infer<typeof uploadsResponse>;
