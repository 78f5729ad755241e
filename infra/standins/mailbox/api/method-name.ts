export type MethodName =
  | "getProfile"
  | "watch"
  | "stop"
  | "labels.get"
  | "labels.list"
  | "history.list"
  | "messages.list"
  | "messages.get"
  | "messages.attachments.get"
  | "messages.modify"
  | "messages.trash"
  | "messages.untrash"
  | "messages.batchModify";
