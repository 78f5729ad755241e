import type { StatedEnding } from "../lines/document.ts";

/** A line of a hunk. `ending` is set only when the patch states it. */
export interface HunkLine {
  readonly kind: "context" | "remove" | "add";
  readonly text: string;
  readonly ending?: StatedEnding;
}

/** A change of neighbouring lines, to be found in the file by the lines it keeps and removes. */
export interface Hunk {
  readonly lines: readonly HunkLine[];
  /** 1-based line the hunk says it starts at; absent when it says nothing that can be relied on. */
  readonly statedLine?: number;
  /** Lines that come before the hunk, outermost first (V4A `@@ class A`). */
  readonly anchors: readonly string[];
  /** The hunk's lines are the first (last) of the file. */
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

/** What a patch wants done with one file. Paths are as the patch spells them. */
export type FilePatch =
  | {
      readonly kind: "add";
      readonly path: string;
      /** The whole new file. */
      readonly content: string;
      readonly mode?: number;
    }
  | { readonly kind: "delete"; readonly path: string; readonly hunks: readonly Hunk[] }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

export type PatchFormat = "unified" | "v4a" | "search_replace";

export interface ParsedPatch {
  readonly format: PatchFormat;
  readonly files: readonly FilePatch[];
}
