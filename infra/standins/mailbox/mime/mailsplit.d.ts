/** The part of mailsplit 5 used here; the package ships no types. */
declare module "mailsplit" {
  import type { Transform } from "node:stream";

  export class Headers {
    constructor(headers: Buffer);
    /** Header lines in order; `line` holds the field with its folds, one character a byte. */
    getList(): { key: string; line: string }[];
  }

  export interface MimeNode {
    readonly type: "node";
    readonly parentNode: MimeNode | false;
    readonly headers: Headers | false;
    readonly contentType: string | false;
    readonly multipart: string | false;
    readonly encoding: string | false;
    readonly charset: string | false;
    readonly filename: string | false;
  }

  export interface MimeChunk {
    readonly type: "body" | "data";
    readonly node: MimeNode;
    readonly value: Buffer;
  }

  export class Splitter extends Transform {
    constructor(options?: { maxHeadSize?: number; maxChildNodes?: number; defaultInlineEmbedded?: boolean });
  }
}
