import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import { carriers } from "./carriers.ts";
import { Draw } from "./draw.ts";
import { credentialKinds } from "./kinds.ts";
import { lookAlikes } from "./look-alikes.ts";

export interface KindFigures {
  readonly kind: string;
  readonly cases: number;
  readonly recall: number;
  /** Against as many texts that look like this kind: what documents write in its place, and {@link lookAlikes}. */
  readonly precision: number;
}

export interface MadeFigures {
  readonly kinds: readonly KindFigures[];
  readonly byFormat: ReadonlyMap<string, number>;
  /** False alarms among look-alikes, by their kind: alarms, texts. */
  readonly alarms: ReadonlyMap<string, readonly [number, number]>;
  readonly missed: readonly string[];
  readonly alarmed: readonly string[];
}

/** Credentials of every kind in every format, and as many texts that only look so, drawn by a seed. */
export function measureMade(seed: number, perFormat = 4): MadeFigures {
  const redactor = new Redactor();
  const draw = new Draw(seed);
  const missed: string[] = [];
  const alarmed: string[] = [];
  const formats = new Map<string, [number, number]>();
  const alarms = new Map<string, [number, number]>();
  const kinds = credentialKinds.map((kind) => {
    let [hits, cases, falseAlarms] = [0, 0, 0];
    for (const carrier of carriers) {
      const counts = formats.get(carrier.format) ?? [0, 0];
      formats.set(carrier.format, counts);
      for (let round = 0; round < perFormat; round++) {
        const value = kind.make(draw);
        const text = carrier.write(draw.of(kind.names), value, draw);
        cases++;
        counts[1]++;
        if (isGone(redactor.redact(text).text, value)) {
          hits++;
          counts[0]++;
        } else missed.push(`${kind.kind} · ${carrier.format} · ${JSON.stringify(text)}`);
        const like = round % 2 === 0 ? undefined : draw.of(lookAlikes);
        const standIn = draw.of(kind.standIns);
        const harmless =
          like === undefined
            ? carrier.write(draw.of(kind.names), standIn, draw)
            : carrier.write(draw.of(like.names), like.make(draw), draw);
        const name = like?.kind ?? "stand-in";
        const seen = alarms.get(name) ?? [0, 0];
        alarms.set(name, seen);
        seen[1]++;
        if (redactor.redact(harmless).count > 0) {
          seen[0]++;
          falseAlarms++;
          alarmed.push(`${name} · ${carrier.format} · ${JSON.stringify(harmless)}`);
        }
      }
    }
    return { kind: kind.kind, cases, recall: hits / cases, precision: hits / Math.max(1, hits + falseAlarms) };
  });
  const byFormat = new Map(Array.from(formats, ([format, [hits, all]]) => [format, hits / all]));
  return { kinds, byFormat, alarms, missed, alarmed };
}

/** Nothing of a value is left but scraps: a token without its prefix is still a token. */
function isGone(shown: string, value: string): boolean {
  const lines = value.split("\n").map((line) => encodeURIComponent(line).replaceAll("%3A", ":"));
  const pieces = [...value.split("\n"), ...lines]
    .filter((line) => !line.startsWith("-----"))
    .flatMap((line) => {
      const size = Math.max(5, Math.ceil(line.length / 5));
      return Array.from({ length: Math.max(1, Math.floor(line.length / size)) }, (_, at) =>
        line.slice(at * size, (at + 1) * size),
      );
    });
  const kept = pieces.filter((piece) => piece.length >= 4 && shown.includes(piece));
  return kept.length === 0;
}
