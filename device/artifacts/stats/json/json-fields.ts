import { DistinctCounter, hashOfNumber, hashPrime, hashStart, mixed } from "../distinct-counter.ts";

export const jsonTypes = ["object", "array", "string", "number", "boolean", "null"] as const;
export const [object, array, string, number, boolean, nothing] = [0, 1, 2, 3, 4, 5] as const;
export type JsonTypeIndex = 0 | 1 | 2 | 3 | 4 | 5;

const maxNodes = 2_000;
/** Keys of one object that get a field each; the values of all others are described together. */
const maxKeys = 200;
const maxSamples = 5;
/** Fields deeper than this are counted, not described. */
const maxFieldDepth = 32;
export const maxSampleBytes = 120;
/** An opening bracket costs a byte here; a file of nothing else must end somewhere. */
const maxDepth = 4_000_000;

/** Everything known about one path. */
export class JsonNode {
  readonly key: string;
  /** As it is written between its quotes. */
  readonly keyBytes: Buffer;
  readonly order: number;
  readonly types = new Float64Array(6);
  readonly children: JsonNode[] = [];
  readonly byKey = new Map<string, JsonNode>();
  readonly samples: (string | number | bigint | boolean | null)[] = [];
  /** Values of an array's items. */
  item: JsonNode | undefined;
  /** Values of keys that were too many. */
  others: JsonNode | undefined;
  otherKeys: DistinctCounter | undefined;
  distinct: DistinctCounter | undefined;
  items = 0;
  maxItems = 0;
  min: number | bigint = Number.POSITIVE_INFINITY;
  max: number | bigint = Number.NEGATIVE_INFINITY;

  constructor(key: string, keyBytes: Buffer, order: number) {
    this.key = key;
    this.keyBytes = keyBytes;
    this.order = order;
  }

  /** True when the value should be offered as a sample. */
  count(hash: number): boolean {
    this.distinct ??= new DistinctCounter();
    return this.distinct.add(hash) && this.samples.length < maxSamples;
  }
}

const noBytes = Buffer.alloc(0);

/** What is seen where in JSON, told by a scanner in document order. Memory is bounded by `maxNodes` and `maxDepth`. */
export class JsonFields {
  readonly root = new JsonNode("$", noBytes, 0);
  readonly types = new Float64Array(6);
  keys = 0;
  items = 0;
  deepest = 0;
  depth = 0;
  #nodeCount = 1;
  #isSampleWanted = false;
  /** The path of the next value; undefined when it is not described. */
  #current: JsonNode | undefined = this.root;
  #kinds = new Uint8Array(1_024);
  /** By depth, as far as paths are described. */
  readonly #nodes: (JsonNode | undefined)[] = [];
  readonly #cursors: number[] = [];
  /** Items of the open arrays; deeper ones are not described, so nobody asks. */
  readonly #counts: number[] = [];

  get inArray(): boolean {
    return this.depth > 0 && this.#kinds[this.depth - 1] === array;
  }

  /** A value begins: at the top, as the next item of an array, or as that of the key just told. */
  beginValue(): void {
    if (this.depth === 0) this.#current = this.root;
    else if (this.#kinds[this.depth - 1] === array) this.#nextItem();
  }

  /** Closes whatever is open. */
  abandon(): void {
    while (this.depth > 0) this.close();
  }

  /** False when it is nested too deeply to go on. */
  open(kind: typeof object | typeof array): boolean {
    const node = this.#current;
    this.#see(node, kind);
    const { depth } = this;
    if (depth >= maxDepth) return false;
    if (depth >= this.#kinds.length) {
      const longer = new Uint8Array(this.#kinds.length * 2);
      longer.set(this.#kinds);
      this.#kinds = longer;
    }
    this.#kinds[depth] = kind;
    if (depth < maxFieldDepth) {
      this.#nodes[depth] = node;
      this.#cursors[depth] = 0;
      this.#counts[depth] = 0;
    }
    this.depth = depth + 1;
    if (this.depth > this.deepest) this.deepest = this.depth;
    this.#current = undefined;
    return true;
  }

  close(): void {
    const depth = --this.depth;
    const node = depth < maxFieldDepth ? this.#nodes[depth] : undefined;
    if (node === undefined || this.#kinds[depth] !== array) return;
    const items = this.#counts[depth] ?? 0;
    node.items += items;
    if (items > node.maxItems) node.maxItems = items;
  }

  #nextItem(): void {
    this.items++;
    const at = this.depth - 1;
    if (at >= maxFieldDepth) {
      this.#current = undefined;
      return;
    }
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    const node = this.#nodes[at];
    this.#current = undefined;
    if (node === undefined) return;
    node.item ??= this.#newNode("[]", noBytes, 0);
    this.#current = node.item;
  }

  /**
   * Length of the key at `start` (behind its quote) when it is the one that is expected here, otherwise -1: objects of one
   * array have their keys in the same order, so most keys are only compared.
   */
  expectedKey(bytes: Uint8Array, start: number): number {
    const at = this.depth - 1;
    if (at >= maxFieldDepth) return -1;
    const cursor = this.#cursors[at] ?? 0;
    const child = this.#nodes[at]?.children[cursor];
    if (child === undefined) return -1;
    const { keyBytes } = child;
    const { length } = keyBytes;
    if (bytes[start + length] !== 0x22) return -1;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== keyBytes[i]) return -1;
    this.#cursors[at] = cursor + 1;
    this.#current = child;
    this.keys++;
    return length;
  }

  /** True when keys are described where the next value stands. */
  get takesKeys(): boolean {
    return this.depth <= maxFieldDepth && this.#nodes[this.depth - 1] !== undefined;
  }

  /** The next value's key, as it is written and as text; "" will do for the text where keys are not described. */
  key(written: Buffer, key: string): void {
    this.keys++;
    const at = this.depth - 1;
    const node = at < maxFieldDepth ? this.#nodes[at] : undefined;
    this.#current = undefined;
    if (node === undefined) return;
    let child = node.byKey.get(key);
    if (child === undefined && node.children.length < maxKeys) {
      child = this.#newNode(key, Buffer.from(written), node.children.length);
      if (child !== undefined) {
        node.byKey.set(key, child);
        node.children.push(child);
      }
    }
    if (child !== undefined) {
      this.#cursors[at] = child.order + 1;
      this.#current = child;
      return;
    }
    node.otherKeys ??= new DistinctCounter();
    node.otherKeys.add(hashOfBytes(written));
    node.others ??= this.#newNode("*", noBytes, 0);
    this.#current = node.others;
  }

  /** `hash` is that of the string as it is written. True when its beginning is wanted as a {@link sample}. */
  string(hash: number): boolean {
    const node = this.#current;
    this.#see(node, string);
    return node?.count(mixed(hash)) ?? false;
  }

  sample(text: string): void {
    this.#current?.samples.push(text);
  }

  /**
   * A number, which may be off by a rounding or two (but always by the same for the same text). True when its exact value
   * is wanted by {@link exactNumber}: as a sample, or because it may be the least or the greatest.
   */
  number(value: number): boolean {
    const node = this.#current;
    this.#see(node, number);
    if (node === undefined) return false;
    this.#isSampleWanted = node.count(hashOfNumber(value));
    const slack = Math.abs(value) * 1e-14;
    return this.#isSampleWanted || value - slack <= node.min || value + slack >= node.max;
  }

  exactNumber(value: number): void {
    const node = this.#current;
    if (node === undefined) return;
    if (value < node.min) node.min = value;
    if (value > node.max) node.max = value;
    if (this.#isSampleWanted) node.samples.push(Number.isFinite(value) ? value : String(value));
  }

  /** An integer that no double holds. */
  longInteger(value: bigint): void {
    const node = this.#current;
    this.#see(node, number);
    if (node === undefined) return;
    if (value < node.min) node.min = value;
    if (value > node.max) node.max = value;
    if (node.count(hashOfBytes(Buffer.from(String(value), "latin1")))) node.samples.push(value);
  }

  literal(value: boolean | null): void {
    const node = this.#current;
    this.#see(node, value === null ? nothing : boolean);
    if (node !== undefined && node.samples.length < maxSamples && !node.samples.includes(value)) {
      node.samples.push(value);
    }
  }

  #see(node: JsonNode | undefined, type: JsonTypeIndex): void {
    this.types[type] = (this.types[type] ?? 0) + 1;
    if (node !== undefined) node.types[type] = (node.types[type] ?? 0) + 1;
  }

  #newNode(key: string, keyBytes: Buffer, order: number): JsonNode | undefined {
    if (this.#nodeCount >= maxNodes) return undefined;
    this.#nodeCount++;
    return new JsonNode(key, keyBytes, order);
  }
}

function hashOfBytes(bytes: Uint8Array): number {
  let hash = hashStart;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, hashPrime);
  return mixed(hash);
}
