import { googleErrors } from "../google-error.ts";
import { type ApiMethod, metadataScopes } from "./method.ts";

export const getProfile: ApiMethod = {
  name: "getProfile",
  verb: "GET",
  path: /^\/profile$/,
  scopes: metadataScopes,
  run: ({ address, messages, history }) => {
    const { arrived, threads } = messages.counts();
    return {
      emailAddress: address,
      messagesTotal: arrived,
      threadsTotal: Math.min(threads, arrived),
      historyId: history.current().toString(),
    };
  },
};

const systemLabels = [
  "INBOX",
  "SENT",
  "DRAFT",
  "TRASH",
  "SPAM",
  "CHAT",
  "STARRED",
  "IMPORTANT",
  "UNREAD",
  "CATEGORY_PERSONAL",
  "CATEGORY_SOCIAL",
  "CATEGORY_PROMOTIONS",
  "CATEGORY_UPDATES",
  "CATEGORY_FORUMS",
];

export const listLabels: ApiMethod = {
  name: "labels.list",
  verb: "GET",
  path: /^\/labels$/,
  scopes: metadataScopes,
  run: () => ({ labels: systemLabels.map((id) => ({ id, name: id, type: "system" })) }),
};

/** Counts of system labels only; those of a person's own are not kept apart here. */
export const getLabel: ApiMethod = {
  name: "labels.get",
  verb: "GET",
  path: /^\/labels\/([^/]+)$/,
  scopes: metadataScopes,
  run: ({ messages }, { params: [id = ""] }) => {
    if (!systemLabels.includes(id)) throw googleErrors.notFound();
    const { total, unread } = messages.labelled(id);
    return { id, name: id, type: "system", messagesTotal: total, messagesUnread: unread };
  },
};
