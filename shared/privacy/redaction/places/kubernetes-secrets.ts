import type { AddCredential } from "../credential.ts";

/** What a Secret of Kubernetes says of itself; lower case. In YAML, and in JSON as programs write it. */
export const secretKindKeywords = ["kind: secret", '"kind":"secret"', '"kind": "secret"'] as const;

const isData = /^(?:data|stringData):[ \t]*$/;
const entry = /^[\w.-]+:[ \t]*["']?([^\s"'|>{][^\s"']{3,})["']?[ \t]*$/;
const dataInJson = /"(?:data|stringData)"\s{0,20}:\s{0,20}\{/g;
const entryInJson = /\s{0,100}(?:,\s{0,100})?"[\w.-]{1,300}"\s{0,20}:\s{0,20}"([^"\\]*(?:\\.[^"\\]*)*)"/y;
/** A text may end in a string: it is not read from each of its places. */
const stringOrBrace = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}]/gs;

interface Line {
  readonly start: number;
  readonly end: number;
  /** Without a list's dash, and what stands around. */
  readonly said: string;
  /** In which column that begins. */
  readonly column: number;
  /** A list's dash stands in front: something begins. */
  readonly isItem: boolean;
}

/**
 * The values of Secrets: their names are their owner's and say nothing. `kubectl` writes them before the kind, people behind it.
 * What was looked at with one is not looked at with the next, so that all of it is looked at once.
 */
export class KubernetesSecrets {
  readonly #text: string;
  readonly #add: AddCredential;
  #documentEnd = 0;
  #objectEnd = 0;

  constructor(text: string, add: AddCredential) {
    this.#text = text;
    this.#add = add;
  }

  /** One of {@link secretKindKeywords} ends there. */
  onPlace(word: (typeof secretKindKeywords)[number], end: number): void {
    if (word === "kind: secret") this.#document(end - word.length);
    else this.#object(end - word.length);
  }

  /** In YAML: what begins in the kind's column, up to where something else does. */
  #document(at: number): void {
    const floor = this.#documentEnd;
    if (at < floor) return;
    const kind = this.#lineAt(at);
    this.#documentEnd = kind.end;
    if (kind.start + kind.column !== at) return;
    let isInData = false;
    let line = this.#firstLine(kind, floor);
    for (; line !== undefined; line = this.#lineBehind(line)) {
      if (line.start > kind.start && isOther(line, kind.column)) break;
      if (isEmpty(line)) continue;
      if (line.column === kind.column) isInData = isData.test(line.said);
      else if (isInData) this.#entry(line);
    }
    this.#documentEnd = Math.max(this.#documentEnd, line?.start ?? this.#text.length);
  }

  #firstLine(kind: Line, floor: number): Line | undefined {
    let first = kind;
    while (first.start > floor && !(first.isItem && first.column === kind.column)) {
      const before = this.#lineAt(first.start - 1);
      if (isOther(before, kind.column) && !(before.isItem && before.column === kind.column)) break;
      first = before;
    }
    return first;
  }

  #entry({ start, column, said }: Line): void {
    const value = entry.exec(said)?.[1] ?? "";
    this.#note(start + column + said.lastIndexOf(value), value);
  }

  /** In JSON: what stands in the braces around it. */
  #object(at: number): void {
    if (at < this.#objectEnd) return;
    const start = this.#openBrace(at);
    this.#objectEnd = at + 1;
    if (start === undefined) return;
    this.#objectEnd = this.#closeBrace(at);
    const object = this.#text.slice(start, this.#objectEnd);
    for (const { index, 0: name } of object.matchAll(dataInJson)) {
      entryInJson.lastIndex = index + name.length;
      for (let found = entryInJson.exec(object); found !== null; found = entryInJson.exec(object)) {
        const value = found[1] ?? "";
        this.#note(start + found.index + found[0].length - 1 - value.length, value);
      }
    }
  }

  #openBrace(at: number): number | undefined {
    let depth = 0;
    for (let place = at - 1; place >= this.#objectEnd; place--) {
      const unit = this.#text.charCodeAt(place);
      if (unit === 125) depth++;
      else if (unit === 123 && depth-- === 0) return place;
    }
    return undefined;
  }

  /** Of a text that was cut off, its end. */
  #closeBrace(at: number): number {
    stringOrBrace.lastIndex = at;
    let depth = 0;
    for (let found = stringOrBrace.exec(this.#text); found !== null; found = stringOrBrace.exec(this.#text)) {
      if (found[0] === "{") depth++;
      else if (found[0] === "}" && depth-- === 0) return found.index;
    }
    return this.#text.length;
  }

  /** Not what a program puts there later, and not what was taken out before. */
  #note(start: number, value: string): void {
    if (value.length < 4 || /^[$<{*!]/.test(value) || value.includes("\u27e6")) return;
    this.#add(start, start + value.length, "secret");
  }

  #lineAt(place: number): Line {
    const text = this.#text;
    const start = place === 0 ? 0 : text.lastIndexOf("\n", place - 1) + 1;
    const next = text.indexOf("\n", place);
    const end = next === -1 ? text.length : next;
    const raw = text.slice(start, end);
    const front = /^[ \t]*(- +)?/.exec(raw);
    const column = front?.[0].length ?? 0;
    return { start, end, said: raw.slice(column).trimEnd(), column, isItem: front?.[1] !== undefined };
  }

  #lineBehind({ end }: Line): Line | undefined {
    return end + 1 < this.#text.length ? this.#lineAt(end + 1) : undefined;
  }
}

function isEmpty({ said }: Line): boolean {
  return said === "" || said.startsWith("#");
}

/** Another item of a list, what a list belongs to, or another document. */
function isOther(line: Line, column: number): boolean {
  if (isEmpty(line)) return false;
  if (line.column < column || /^(?:---|\.\.\.)(?:\s|$)/.test(line.said)) return true;
  return line.column === column && (line.isItem || /^kind:/i.test(line.said));
}
