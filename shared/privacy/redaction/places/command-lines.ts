import type { AddCredential } from "../credential.ts";
import { isFiller, isPlaceholder } from "../randomness/placeholders.ts";
import { randomBits } from "../randomness/randomness.ts";

/** Words at which a command, a header or an address with a credential may stand; lower case. */
export const placeKeywords = [
  "://",
  "-u",
  "--user",
  "--proxy-user",
  "docker login",
  "podman login",
  "sshpass",
  "mysql",
  "redis-cli",
  "htpasswd",
  "smbclient",
  "net use",
  "authorization",
  "bearer ",
  "bearer:",
  "basic ",
  "cookie:",
  "identified by",
  "pass:",
] as const;

/** RFC 3986 userinfo with a password; also an unescaped `@` or `:` in it, up to the last `@` before the host. */
const userinfo = /([^\s:/?#@"'<>`\\]{0,128}):([^\s/?#"'<>`]{1,256})@(?=[A-Za-z0-9[_])/y;
const curlUser =
  /[ =]{0,3}(?:(["'])([^"'\n]{0,100}?):([^\n]{2,200}?)\1|(["']?)([^\s"':]{0,100})\4:(["']?)([^\s"'\\]{2,200})\6)/y;
const authorization =
  /(?:["'\]]{0,2}[ ]?[:=,][ ]?\\?["']{0,1}[ ]?)?(?:(?:Bearer|Basic|Token|ApiKey|Api-Key|Digest|SSWS|Key|GoogleLogin auth|AWS4-HMAC-SHA256)[ :=]{1,3})?["']?(?:token=)?["']?([^\s"'`<>,;(){}[\]\\]{8,4000})/iy;
const scheme = /["']?([^\s"'`<>,;(){}[\]\\]{12,4000})/y;
const cookies = /[ ]{0,3}([^\r\n"']{4,4000})/y;
const flag = / [^\n|;&]{0,200}?(?<=[ ])(?:-p|-a|--pass|-w)[ =]?(["']?)([^\s"'|;&-][^\s"'|;&]{2,200})\1/y;
const mysqlFlag = /(?:dump|admin|import|sh)? [^\n|;&]{0,200}?(?<=[ ])-p(["']?)([^\s"'|;&-][^\s"'|;&]{2,200})\1/y;
const smbUser = / [^\n|;&]{0,200}?(?<=[ ])-U ?["']?[^\s"'%]{1,60}%([^\s"']{3,200})/y;
const htpasswd = / [^\n|;&]{0,80}?-[ac-zA-Z]*b[a-zA-Z]* [^\s]{1,80} [^\s]{1,60} (["']?)([^\s"'|;&]{3,200})\1/y;
const netUse = / [^\n|;&]{0,200}?\/user:[^\s]{1,80} (["']?)([^\s"'|;&/]{3,200})\1/iy;
const identified = /(?: with \w{1,40})? (?:as |by )?(["'])([^"'\n]{3,200})\1/iy;
const passArgument = /([^\s"';:,)]{4,200})/y;

/** Looks at the places of one text that {@link placeKeywords} mark. */
export class CommandLines {
  readonly #text: string;
  readonly #add: AddCredential;
  /** Where the last header that was looked at ends: what lies in it is not looked at once more. */
  #headerEnd = 0;

  constructor(text: string, add: AddCredential) {
    this.#text = text;
    this.#add = add;
  }

  onPlace(word: (typeof placeKeywords)[number], end: number): void {
    switch (word) {
      case "://":
        this.#address(end);
        return;
      case "-u":
      case "--user":
      case "--proxy-user":
        this.#curl(end, word);
        return;
      case "docker login":
      case "podman login":
      case "sshpass":
      case "redis-cli":
        this.#last(flag, end, 2);
        return;
      case "mysql":
        this.#last(mysqlFlag, end, 2);
        return;
      case "smbclient":
        this.#last(smbUser, end, 1);
        return;
      case "htpasswd":
        this.#last(htpasswd, end, 2);
        return;
      case "net use":
        this.#last(netUse, end, 2);
        return;
      case "identified by":
        if (/\b(?:user|grant|role|login)\b/i.test(this.#text.slice(Math.max(0, end - 200), end)))
          this.#last(identified, end, 2);
        return;
      case "pass:":
        if (/-pass(?:in|out)?[ =]["']?pass:$/i.test(this.#text.slice(end - 16, end))) this.#last(passArgument, end, 1);
        return;
      case "authorization":
        this.#random(authorization, end, 0);
        return;
      case "bearer ":
      case "bearer:":
      case "basic ":
        this.#random(scheme, end, word === "basic " ? 4 : 0);
        return;
      case "cookie:":
        this.#cookies(end);
        return;
    }
  }

  #address(end: number): void {
    const match = at(userinfo, this.#text, end);
    if (match === null || !/[a-z][a-z0-9+.-]{0,20}$/i.test(this.#text.slice(Math.max(0, end - 24), end - 3))) return;
    const password = match[2] ?? "";
    const isMeant =
      !isPlaceholder(password) && !isPlain.test(password) && password.toLowerCase() !== match[1]?.toLowerCase();
    if (isMeant) this.#note(end + (match[1]?.length ?? 0) + 1, password, "password");
  }

  #curl(end: number, word: string): void {
    const lead = this.#text.slice(Math.max(0, end - word.length - 600), end - word.length);
    if (!/[\s"'[,]$/.test(lead) || !/\b(?:curl|wget|http|https|xh)\b/.test(lead)) return;
    const match = at(curlUser, this.#text, end);
    if (match === null) return;
    const user = match[2] ?? match[5] ?? "";
    const password = match[3] ?? match[7] ?? "";
    if (isPlaceholder(user) && user !== "" && /[$<{%]/.test(user)) return;
    const own = password.replace(/^["']|["']$/g, "");
    if (own.startsWith("//") || isPlaceholder(own) || isPlain.test(own)) return;
    const offset = match[0].lastIndexOf(own);
    this.#note(end + offset, own, "password");
  }

  #last(pattern: RegExp, end: number, group: number): void {
    const match = at(pattern, this.#text, end);
    const value = match?.[group] ?? "";
    if (match === null || value === "" || isPlaceholder(value) || isPlain.test(value) || /^\d{1,5}$/.test(value))
      return;
    this.#note(end + match[0].lastIndexOf(value), value, "password");
  }

  #random(pattern: RegExp, end: number, minBits: number): void {
    if (end < this.#headerEnd) return;
    const match = at(pattern, this.#text, end);
    const length = match?.[0].length ?? 0;
    // A short one may be a scheme, with the credential behind it.
    if (length > 200) this.#headerEnd = end + length;
    const value = match?.[1] ?? "";
    if (match === null || value.length < 12 || isPlaceholder(value) || isFiller(value)) return;
    // A word behind it, a call or a path: no credential.
    if (/^[(]/.test(this.#text.charAt(end + match[0].length)) || /^https?:/.test(value)) return;
    const isHex = /^[a-f0-9]+$/i.test(value) && /\d.*\d/.test(value);
    const needed = /\d/.test(value) ? minBits - 2 : minBits + 6;
    if (!isHex && randomBits(value) < needed) return;
    this.#note(end + match[0].length - value.length, value, "authorization");
  }

  #cookies(end: number): void {
    if (end < this.#headerEnd) return;
    const match = at(cookies, this.#text, end);
    if (match === null) return;
    const body = match[1] ?? "";
    let offset = end + match[0].length - body.length;
    this.#headerEnd = end + match[0].length;
    for (const pair of body.split(";")) {
      const value = /^\s*[\w.$!%-]{1,60}=(.{8,})$/.exec(pair)?.[1]?.trimEnd() ?? "";
      const isHex = /^[a-f0-9-]{16,}$/i.test(value) && /\d.*\d/.test(value);
      if (
        value !== "" &&
        !isPlaceholder(value) &&
        !/\s/.test(value) &&
        (isHex || (/\d/.test(value) && randomBits(value) > 2))
      ) {
        this.#note(offset + pair.lastIndexOf(value), value, "cookie");
      }
      offset += pair.length + 1;
    }
  }

  #note(start: number, value: string, kind: string): void {
    if (!value.includes("\u27e6")) this.#add(start, start + value.length, kind);
  }
}

/** What manuals write. */
const isPlain =
  /^(?:pass(?:word|wd)?|pwd|secret|token|test\d*|user\d*|[A-Z_]+|x|api|key|1234?5?6?|port|\d{1,5}|[*.]+)$/;

const at = (pattern: RegExp, text: string, place: number): RegExpExecArray | null => {
  pattern.lastIndex = place;
  return pattern.exec(text);
};
