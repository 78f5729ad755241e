import type { StoredProposal } from "../../store/schema.ts";

/** The text of a reply, as a model has drafted it; empty where there is none. Nothing is ever sent. */
export const replyDraft = ({ category, payload }: Pick<StoredProposal, "category" | "payload">): string =>
  category === "reply" ? (payload?.note ?? "") : "";
