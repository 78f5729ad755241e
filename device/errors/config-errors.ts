import { exitCodes } from "../exit-codes.ts";

/** What can be wrong with the person's configuration, and with files that a command is given. */
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
  file_unreadable: {
    exitCode: exitCodes.unusable,
    sentence: "There is no file that can be read there; check its name and its permissions.",
  },
  setting_invalid: {
    exitCode: exitCodes.usage,
    sentence: "A setting cannot have this value; nothing was changed.",
  },
} as const;
