import type { IndexedKind } from "../../../events/frames/folders.ts";
import type { IndexedText } from "../../knowledge/text/indexed-text.ts";
import type { Shape } from "../../knowledge/text/passages.ts";
import type { SkipReason } from "../scanner/reasons.ts";

/** One file's bytes, on their way to the thread that reads them. */
export interface ExtractionJob {
  readonly kind: IndexedKind;
  readonly bytes: Uint8Array;
  /** Of the excerpt; 0 when none is wanted. */
  readonly maxContentTokens: number;
  /** A text that is HTML: what it shows is extracted, not its markup. */
  readonly isPage?: boolean;
  /** Given when the text is wanted for the index as well. */
  readonly shape?: Shape;
}

/** A picture made small, as JPEG and without what a camera notes beside it. */
export interface ExtractedImage {
  readonly base64: string;
  readonly mime: "image/jpeg";
  readonly width: number;
  readonly height: number;
}

/** Reasons that lie in the content: the same bytes end the same way again. */
export type ExtractionFailure = Extract<
  SkipReason,
  "encrypted" | "corrupt" | "no_text" | "binary" | "too_complex" | "timed_out" | "password_export"
>;

export type Extraction =
  /** `text` holds no credentials that could be recognised; `redactions` counts what stood there. */
  | {
      readonly outcome: "text";
      readonly text: string;
      /** Null where they were not counted. */
      readonly tokens: number | null;
      readonly redactions: number;
      /** The file has more text than was read of it. */
      readonly isPart?: boolean;
      /** The whole text, ready for the index. */
      readonly indexed?: IndexedText;
    }
  | { readonly outcome: "image"; readonly image: ExtractedImage }
  | { readonly outcome: "failed"; readonly reason: ExtractionFailure };

/** What a reader of a format has read. */
export interface TextRead {
  readonly text: string;
  /** There is more, beyond a limit. */
  readonly isPart: boolean;
}

/** Thrown by the readers of single formats. */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
  readonly reason: ExtractionFailure;

  constructor(reason: ExtractionFailure, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}
