import * as z from "zod";
import { googleErrors } from "../google-error.ts";
import { type ApiMethod, metadataScopes } from "./method.ts";

const watchRequest = z.looseObject({
  topicName: z.string().regex(/^projects\/[^/]+\/topics\/[^/]+$/),
  labelIds: z.array(z.string()).optional(),
});

export const watch: ApiMethod = {
  name: "watch",
  verb: "POST",
  path: /^\/watch$/,
  scopes: metadataScopes,
  run: (state, call) => {
    const request = watchRequest.safeParse(call.body);
    if (!request.success) {
      throw googleErrors.invalidArgument("Invalid topicName does not match projects/{project}/topics/{topic}");
    }
    const active = state.watch.active();
    if (active !== undefined && active.topicName !== request.data.topicName) throw googleErrors.onePushClient();
    const { expiresAtMs } = state.watch.start(request.data.topicName);
    const answer = { historyId: state.history.current().toString(), expiration: String(expiresAtMs) };
    state.onWatch();
    return answer;
  },
};

export const stop: ApiMethod = {
  name: "stop",
  verb: "POST",
  path: /^\/stop$/,
  scopes: metadataScopes,
  run: (state) => {
    state.watch.stop();
    return undefined;
  },
};
