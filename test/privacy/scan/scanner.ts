import type { Canary } from "./canary.ts";
import { NeedleSearch, needlesOf } from "./needles.ts";
import { type Unpacked, unpacked } from "./unpack.ts";

/** Something at rest, and where it was found. */
export interface AtRest {
  readonly place: string;
  readonly data: Uint8Array | string;
}

export interface Finding {
  readonly label: string;
  /** How it was written down, outermost packing first: `base64 > gzip > raw`. */
  readonly form: string;
  readonly place: string;
}

/** Layers of packing that are taken off: base64 of gzip of base64 is as deep as anything gets by accident. */
const maxLayers = 3;

/** Ids and digests come again and again: what is no longer than this and held nothing once is not taken apart again. */
const rememberedBytes = 256;
const rememberedAtMost = 200_000;

/** Looks for canaries in bytes, in every form they might have been written down in. */
export class Scanner {
  readonly #search = new NeedleSearch<Finding>();
  /** Packed bytes in which nothing was found, with how many layers they had been taken out of. */
  readonly #empty = new Set<string>();

  constructor(canaries: readonly Canary[]) {
    for (const { label, text } of canaries) {
      for (const { form, bytes } of needlesOf(text)) this.#search.add(bytes, { label, form, place: "" });
    }
  }

  /** Each canary once per form. */
  scan({ place, data }: AtRest): Finding[] {
    const found = new Map<string, Finding>();
    this.#look(Buffer.from(data), [], (finding) => {
      found.set(`${finding.label}/${finding.form}`, { ...finding, place });
    });
    return [...found.values()];
  }

  scanAll(everything: Iterable<AtRest>): Finding[] {
    return Array.from(everything).flatMap((one) => this.scan(one));
  }

  #look(data: Buffer, layers: readonly string[], report: (finding: Finding) => void): void {
    for (const finding of this.#search.find(data)) {
      report({ ...finding, form: [...layers, finding.form].join(" > ") });
    }
    if (layers.length === maxLayers) return;
    for (const inner of unpacked(data)) this.#lookInside(inner, layers, report);
  }

  #lookInside({ form, data }: Unpacked, layers: readonly string[], report: (finding: Finding) => void): void {
    const key = data.length > rememberedBytes ? undefined : `${layers.length}${data.toString("latin1")}`;
    if (key !== undefined && this.#empty.has(key)) return;
    let hasFound = false;
    this.#look(data, [...layers, form], (finding) => {
      hasFound = true;
      report(finding);
    });
    if (key !== undefined && !hasFound && this.#empty.size < rememberedAtMost) this.#empty.add(key);
  }
}
