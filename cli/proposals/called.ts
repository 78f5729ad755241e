import type { StoredProposal } from "../../device/store/schema.ts";
import { printable } from "../output/printable.ts";

/** What a proposal is called where its ref stands beside it. */
export const subjectOf = ({ rawSubject }: Pick<StoredProposal, "rawSubject">): string =>
  printable(rawSubject ?? "").trim() || "(no subject)";

/** What a proposal is called where nothing else names it: by its ref, without a subject. */
export const calledOf = ({ rawSubject, sourceMsgRef }: Pick<StoredProposal, "rawSubject" | "sourceMsgRef">): string =>
  printable(rawSubject ?? "").trim() || printable(sourceMsgRef);
