/**
 * A prompt as a versioned text with named holes. The version is recorded with every result made by it; a changed text
 * is a new version.
 */
export interface Prompt {
  readonly name: string;
  readonly version: string;
  readonly text: string;
}

/** Name and version as results record them. */
export function promptLabel(prompt: Prompt): string {
  return `${prompt.name}@${prompt.version}`;
}
