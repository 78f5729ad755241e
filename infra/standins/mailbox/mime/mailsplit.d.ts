/** The part of mailsplit 5 used here; the package ships no types. */
declare module "mailsplit" {
  export class Headers {
    constructor(headers: Buffer);
    /** Header lines in order; `line` holds the field with its folds, one character a byte. */
    getList(): { key: string; line: string }[];
  }
}

/** How mailsplit reads the header of one part. */
declare module "mailsplit/lib/mime-node.js" {
  import type { Headers } from "mailsplit";

  class MimeNode {
    constructor(parentNode: false);
    addHeaderChunk(lines: Buffer): void;
    parseHeaders(): void;
    readonly headers: Headers | false;
    readonly contentType: string | false;
    readonly encoding: string | false;
    readonly charset: string | false;
    readonly _boundary: Buffer | false;
  }
  export = MimeNode;
}
