import * as z from "zod";

/** Where the mail lies on the machine of the home: an mbox file, a Maildir or a folder of .eml. An absolute path. */
export const mailboxSettings = z.strictObject({
  path: z
    .string()
    .max(4096)
    .regex(/^(?:\/|[A-Za-z]:[\\/])[^\0]*$/),
});
export type MailboxSettings = z.infer<typeof mailboxSettings>;
