import { exitCodes } from "../exit-codes.ts";

/** Why something a person attached to a question could not be. */
export const attachmentErrors = {
  attachment_invalid: {
    exitCode: exitCodes.usage,
    sentence:
      "This is nothing that can be attached. Attach files, https: addresses, mcp:SERVER/ADDRESS, proposal:REF or tool:NAME, eight at most.",
  },
  attachment_denied: {
    exitCode: exitCodes.failed,
    sentence: "It may not be attached: rules of its folder, or your own answer, keep it from being read.",
  },
  attachment_address: {
    exitCode: exitCodes.failed,
    sentence: "The address may not be reached: it is not of the public internet, not encrypted, or leads elsewhere.",
  },
  attachment_unavailable: {
    exitCode: exitCodes.failed,
    sentence: "There is nothing there that can be read now; check what it is called, or try again in a while.",
  },
  attachment_unreadable: {
    exitCode: exitCodes.failed,
    sentence: "It cannot be read as text; attach text, a page, a PDF or a Word file.",
  },
  attachment_too_large: {
    exitCode: exitCodes.failed,
    sentence: "It is larger than what can be attached (5 MB); attach a part of it.",
  },
  attachment_overdue: {
    exitCode: exitCodes.failed,
    sentence: "It took longer than 30 seconds to be read; try again, or attach less.",
  },
} as const;
