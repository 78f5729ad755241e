import { exitCodes } from "../exit-codes.ts";

/** No home answers a data folder, it is another's, or nobody is signed in to it. */
export const homeErrorKinds = {
  home_not_running: {
    exitCode: exitCodes.unusable,
    sentence: "No home is running on this data folder; start one with `scouts up`.",
  },
  console_not_running: {
    exitCode: exitCodes.unusable,
    sentence:
      "No console is running on this data folder; `scouts up` or `scouts connect` serves one a few seconds after it begins. Leave it running, and try again.",
  },
  person_other: {
    exitCode: exitCodes.unusable,
    sentence:
      "This data folder is a device of another person, whose decisions and proposals it holds; sign in as that person, or give this one a data folder of its own: --data.",
  },
  home_other: {
    exitCode: exitCodes.unusable,
    sentence: "This data folder is a device of another home; give this one a folder of its own: --data.",
  },
  login_needed: { exitCode: exitCodes.unusable, sentence: "Not signed in, or not any more; run `scouts login`." },
  credentials_unreadable: {
    exitCode: exitCodes.unusable,
    sentence: "What is kept of the sign-in cannot be read; run `scouts login`.",
  },
} as const;
