import type { ErrorCode } from "../../events/error-kinds.ts";
import { switchingOff } from "../../shared/outcome/outcome.ts";

/** What may come of reaching a source with what a person gave. */
export const reaching: readonly ErrorCode[] = [
  "source_in_use",
  "scout_deleting",
  "source_credentials_refused",
  "source_address_refused",
  "source_not_encrypted",
  "source_certificate_refused",
  "source_folder_unknown",
  "source_path_missing",
  "source_path_no_file",
  "source_path_no_mail",
  "source_path_empty",
  "source_path_unreadable",
  "source_forbidden",
  "source_wants_password",
  "source_gone",
  "source_no_feed",
  "source_leads_round",
  "source_items_change",
  "source_rate_limited",
  "source_unavailable",
  "source_unreadable",
  "source_too_large",
];

/** What a scout that does not look at its source answers to whoever asks it for work: why it is off, or that it was never connected. */
export const notAtWork: readonly ErrorCode[] = ["scout_deleting", "source_not_connected", ...switchingOff];
