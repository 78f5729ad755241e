import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { withoutSections } from "../../../triage/readable-text.ts";
import { isOwnNetwork } from "./hosts.ts";

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

/** Where a link leads; undefined where that is not on the web. */
export function webAddress(text: string, base?: URL): URL | undefined {
  const written = text.replace(/\s/g, "");
  const url = URL.parse(written) ?? (written.startsWith("#") ? null : URL.parse(written, (base ?? nowhere).href));
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === nowhere.hostname) return undefined;
  const address = meantBy(url);
  address.hostname = address.hostname.replace(/\.$/, "");
  return isOwnNetwork(address.hostname.replace(/^\[|\]$/g, "")) ? undefined : address;
}

/** What a link without a site is relative to, where a letter does not say. */
const nowhere = new URL("https://nowhere.invalid/");

/** What stands between `/v3/__` and `__;` of an address. */
function defended(href: string): string | undefined {
  const begin = href.indexOf("/v3/__") + "/v3/__".length;
  const end = href.indexOf("__;", begin + 1);
  return begin < "/v3/__".length || end === -1 ? undefined : href.slice(begin, end);
}

/** Mail filters of readers put addresses of their own before those of links, which say nothing of who sent the mail. */
function meantBy(url: URL): URL {
  const { hostname, searchParams, href } = url;
  let meant: string | null | undefined;
  if (hostname.endsWith(".safelinks.protection.outlook.com")) meant = searchParams.get("url");
  if (hostname === "urldefense.com") meant = defended(href);
  if (hostname === "urldefense.proofpoint.com") {
    const written = (searchParams.get("u") ?? "").replaceAll("-", "%").replaceAll("_", "/");
    meant = new URLSearchParams(`u=${written}`).get("u");
  }
  const found = URL.parse(meant ?? "");
  return found !== null && /^https?:$/.test(found.protocol) ? found : url;
}

class PageReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #tokenizer: Tokenizer;
  readonly #links: URL[] = [];
  #hasPictures = false;
  #hasInput = false;
  #tag = "";
  #base: URL | undefined;
  /** Of an address that comes twice in an element, programs follow the first. */
  #hasAddress = false;
  #isAddress = false;
  #address = "";

  constructor(html: string) {
    this.#html = withoutSections(html);
    this.#tokenizer = new Tokenizer({ decodeEntities: true }, this);
  }

  read(): Page {
    this.#tokenizer.write(this.#html);
    if (this.#tokenizer.running) this.#tokenizer.end();
    return { links: this.#links, hasPictures: this.#hasPictures, hasInput: this.#hasInput };
  }

  onopentagname(start: number, endIndex: number): void {
    this.#tag = this.#html.slice(start, Math.min(endIndex, start + 20)).toLowerCase();
    this.#hasAddress = false;
    if (this.#tag === "img") this.#hasPictures = true;
    if (this.#tag === "form" || this.#tag === "input") this.#hasInput = true;
  }

  onattribname(start: number, endIndex: number): void {
    const isLink = /^(?:a|area|base)$/.test(this.#tag) && !this.#hasAddress;
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
    if (!this.#isAddress) return;
    this.#isAddress = false;
    this.#hasAddress = true;
    if (this.#tag === "base") this.#base ??= webAddress(this.#address);
    else if (this.#links.length < mostLinks) this.#links.push(...this.#linkHere());
  }

  #linkHere(): URL[] {
    const link = webAddress(this.#address, this.#base);
    return link ? [link] : [];
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
