import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** More links of a mail than this are not looked at. */
const mostLinks = 500;
const mostAttributeCharacters = 2_000;

/** What an HTML letter holds besides its text. */
export interface Page {
  /** Where links lead, as far as that is on the web. */
  readonly links: readonly URL[];
  readonly hasPictures: boolean;
  /** Boxes to type into. */
  readonly hasInput: boolean;
}

/** Reads the elements of a letter. Never throws; linear in its length. */
export function pageOf(html: string): Page {
  const reader = new PageReader(html);
  return reader.read();
}

/** An address on the web; undefined for anything else. */
export function webAddress(text: string): URL | undefined {
  const url = URL.parse(text.replace(/\s/g, ""));
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

class PageReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #tokenizer: Tokenizer;
  readonly #links: URL[] = [];
  #hasPictures = false;
  #hasInput = false;
  #tag = "";
  #isAddress = false;
  #address = "";

  constructor(html: string) {
    this.#html = html;
    this.#tokenizer = new Tokenizer({ decodeEntities: true }, this);
  }

  read(): Page {
    this.#tokenizer.write(this.#html);
    if (this.#tokenizer.running) this.#tokenizer.end();
    return { links: this.#links, hasPictures: this.#hasPictures, hasInput: this.#hasInput };
  }

  onopentagname(start: number, endIndex: number): void {
    this.#tag = this.#html.slice(start, Math.min(endIndex, start + 20)).toLowerCase();
    if (this.#tag === "img") this.#hasPictures = true;
    if (this.#tag === "form" || this.#tag === "input") this.#hasInput = true;
  }

  onattribname(start: number, endIndex: number): void {
    const isLink = this.#tag === "a" || this.#tag === "area";
    this.#isAddress = isLink && /^href$/i.test(this.#html.slice(start, Math.min(endIndex, start + 20)));
    this.#address = "";
  }

  onattribdata(start: number, endIndex: number): void {
    const room = mostAttributeCharacters - this.#address.length;
    if (this.#isAddress && room > 0) this.#address += this.#html.slice(start, Math.min(endIndex, start + room));
  }

  onattribentity(codepoint: number): void {
    if (this.#isAddress && this.#address.length < mostAttributeCharacters) {
      this.#address += String.fromCodePoint(codepoint);
    }
  }

  onattribend(): void {
    const link = this.#isAddress && this.#links.length < mostLinks ? webAddress(this.#address) : undefined;
    if (link) this.#links.push(link);
    this.#isAddress = false;
  }

  onopentagend(): void {}
  onselfclosingtag(): void {}
  onclosetag(): void {}
  ontext(): void {}
  ontextentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
