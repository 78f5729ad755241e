import { exitCodes } from "../exit-codes.ts";

/** What can be wrong with the person's configuration. */
export const configErrorKinds = {
  config_unreadable: {
    exitCode: exitCodes.unusable,
    sentence:
      "The configuration of this device cannot be understood, so nothing is read or changed; `scouts config check` says what is wrong with it.",
  },
  setting_unknown: {
    exitCode: exitCodes.usage,
    sentence: "There is no such setting; `scouts config show` lists them.",
  },
  setting_invalid: {
    exitCode: exitCodes.usage,
    sentence: "A setting cannot have this value; nothing was changed.",
  },
} as const;
