import type { Prompt } from "../llm/prompt.ts";

/** Where prompts come from when not from the code. */
export interface Prompts {
  /**
   * The prompt of the same name as it is to be used now. MUST answer the given one when there is no other, or none can be
   * had in time; MUST NOT send anything but the name.
   */
  current(prompt: Prompt): Promise<Prompt>;
}

/** The prompts of the code. */
export const builtInPrompts: Prompts = { current: async (prompt) => prompt };
