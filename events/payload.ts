import * as z from "zod";

const ulid = "[0-7][0-9A-HJKMNP-TV-Z]{25}";

/** The largest sealed object a device may upload: an image of 5 MB, scaled down or not, fits with its envelope. */
export const maxUploadBytes = 8 * 1024 * 1024;

/** An object in the transit bucket, `user/session/ulid`: nobody's frame may name one outside its own session's prefix. */
export const objectKey = z
  .string()
  .regex(new RegExp(`^usr_[0-9a-z]{26}/ses_${ulid}/${ulid}$`))
  .brand<"ObjectKey">();
export type ObjectKey = z.infer<typeof objectKey>;

/** A claim check: the bytes wait in the bucket, sealed under the session's key with the object's key as their context. */
export const uploadRef = z.object({ key: objectKey, bytes: z.number().int().min(1).max(maxUploadBytes) });
export type UploadRef = z.infer<typeof uploadRef>;

/** A field that may be too bulky for a frame: in the frame, or waiting in the bucket. */
export const payload = z.union([z.strictObject({ inline: z.string() }), z.strictObject({ upload: uploadRef })]);
export type Payload = z.infer<typeof payload>;
