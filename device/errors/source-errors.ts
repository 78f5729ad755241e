import { exitCodes } from "../exit-codes.ts";

/** Why a source cannot be added, or read again. */
export const sourceErrors = {
  source_in_use: { exitCode: exitCodes.settled, sentence: "A scout of yours reads this source already." },
  source_account_other: {
    exitCode: exitCodes.settled,
    sentence: "This is another account than the one the scout reads; choose that one, or add a scout for the other.",
  },
  source_credentials_refused: {
    exitCode: exitCodes.failed,
    sentence: "The source does not accept this user and secret; check both, and whether it wants an app password.",
  },
  source_unavailable: {
    exitCode: exitCodes.failed,
    sentence:
      "Nothing answers there as a source of this kind; check the address, or try again in a while. Nothing was kept.",
  },
  source_folder_unknown: {
    exitCode: exitCodes.failed,
    sentence:
      "A folder that is to be read is not at the source (renamed or deleted there), or does not open; choose the scout's folders anew, all that it is to read.",
  },
  source_unknown: { exitCode: exitCodes.usage, sentence: "There is no such source; see: scouts add --help" },
  mailbox_unreadable: {
    exitCode: exitCodes.unusable,
    sentence: "There is nothing to read at this path; give an mbox file, a Maildir or a folder of .eml.",
  },
} as const;
