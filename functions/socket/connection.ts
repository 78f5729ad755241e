import * as z from "zod";
import { deviceId, userId } from "../../events/ids.ts";

const socketEvent = z.object({
  requestContext: z.object({
    connectionId: z.string().min(1),
    authorizer: z.object({ userId, deviceId }),
  }),
  body: z.string().nullish(),
});

/** Whose connection an event is about, as the authorizer said when it opened; a frame cannot claim another. */
export function connectionOf(event: unknown) {
  const { requestContext, body } = socketEvent.parse(event);
  return { connectionId: requestContext.connectionId, ...requestContext.authorizer, text: body ?? "" };
}
