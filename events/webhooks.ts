import * as z from "zod";

const messageId = z.string().min(1).max(128);

/**
 * A Pub/Sub push delivery (https://cloud.google.com/pubsub/docs/push#receive_push). Google sends the id and the time
 * in both spellings, and its own guide to Gmail's pushes shows a delivery with `message_id` alone.
 */
export const pubsubPush = z.object({
  message: z
    .object({
      data: z.string().max(65_536),
      messageId: messageId.optional(),
      message_id: messageId.optional(),
      publishTime: z.string().optional(),
      attributes: z.record(z.string(), z.string()).nullish(),
    })
    .transform(({ message_id, messageId = message_id, ...message }, context) => {
      if (messageId !== undefined) return { ...message, messageId };
      context.addIssue({ code: "custom", path: ["messageId"] });
      return z.NEVER;
    }),
  subscription: z.string().max(512),
});

/**
 * What Gmail publishes (https://developers.google.com/workspace/gmail/api/guides/push). `historyId` comes as a number
 * or as a string and exceeds 2^53, so it is only ever kept as decimal digits.
 */
export const gmailNotification = z.object({
  emailAddress: z.string().min(3).max(320),
  historyId: z.union([z.string().regex(/^\d{1,40}$/), z.number().transform((n) => n.toFixed(0))]),
});
export type GmailNotification = z.infer<typeof gmailNotification>;
