import type { AddCredential } from "../credential.ts";

/** Where blocks of private keys begin; lower case. */
export const keyBlockKeywords = ["-----begin", "private-lines:", "ls0tls1crudjt"] as const;

const header = /^-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
const footer = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const maxBlockChars = 30_000;
/** Base64 of `-----BEGIN … PRIVATE`, at its three places in a triple of bytes, as far as "PRIVATE" shows. */
const encodedPrivate = /UFJJVkFURS|BSSVZBVE|QUklWQVRF|IFBSSVZBVE/;

/** PEM and PuTTY private keys, as they are or in base64. */
export class KeyBlocks {
  readonly #text: string;
  readonly #add: AddCredential;
  #done = 0;

  constructor(text: string, add: AddCredential) {
    this.#text = text;
    this.#add = add;
  }

  onPlace(word: (typeof keyBlockKeywords)[number], end: number): void {
    const start = end - word.length;
    if (start < this.#done) return;
    switch (word) {
      case "-----begin":
        this.#pem(start);
        return;
      case "private-lines:":
        this.#putty(end);
        return;
      case "ls0tls1crudjt":
        this.#encoded(start);
    }
  }

  #pem(start: number): void {
    const window = this.#text.slice(start, start + maxBlockChars);
    const other = window.indexOf("-----BEGIN", 1);
    const piece = other === -1 ? window : window.slice(0, other);
    const head = header.exec(piece)?.[0];
    if (head === undefined) return;
    footer.lastIndex = head.length;
    const foot = footer.exec(piece);
    // Without an end: as far as there are lines of a key.
    const open =
      /^(?:[\s\\"'+,]|\\[nr]|[A-Za-z0-9+/=:-]{1,200})*/.exec(piece.slice(head.length, head.length + 8_000))?.[0] ?? "";
    const isClosed = foot !== null;
    const length = isClosed ? foot.index + foot[0].length : head.length + open.length;
    const body = piece.slice(head.length, isClosed ? foot.index : length);
    // Short ones are cut off, not made up: only words are.
    if (
      !/(?<![a-z])(?=[A-Za-z0-9+/=]{6})[a-z]*[A-Z0-9+/=]{2}/.test(body) ||
      /\$\{|\.\.\.|…|<[a-z]/i.test(body.slice(0, 80))
    )
      return;
    this.#note(start, start + length, "private-key");
  }

  #putty(end: number): void {
    const body = /^[^\n]{0,20}\n(?:[A-Za-z0-9+/=]{4,100}\r?\n?){1,100}/.exec(this.#text.slice(end, end + 8_000))?.[0];
    if (body !== undefined) this.#note(end + body.indexOf("\n") + 1, end + body.trimEnd().length, "private-key");
  }

  #encoded(start: number): void {
    const body = /^[A-Za-z0-9+/=_-]+/.exec(this.#text.slice(start, start + maxBlockChars))?.[0] ?? "";
    this.#done = start + body.length;
    if (body.length > 60 && encodedPrivate.test(body.slice(0, 80)))
      this.#note(start, start + body.length, "private-key");
  }

  #note(start: number, end: number, kind: string): void {
    this.#done = end;
    this.#add(start, end, kind);
  }
}
