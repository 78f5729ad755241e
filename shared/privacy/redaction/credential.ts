/** A part of a text that must not be shown. UTF-16 offsets, half open. */
export interface Credential {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** Notes a credential. UTF-16 offsets, half open. */
export type AddCredential = (start: number, end: number, kind: string) => void;
