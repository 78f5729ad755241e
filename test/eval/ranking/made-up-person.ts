import type { StoredProposal } from "../../../device/store/schema.ts";
import { seededRandom } from "../../../infra/standins/seeded-random.ts";

/**
 * How a made-up person decides. Nobody's real decisions are published with their mail, so these are stated instead:
 *
 * - `sender and subject`: likes or dislikes each sender (normal, deviation 1.5), likes a tenth of all words of subjects
 *   (+1 each), what asks for something (+1) rather than lists (-1), from -0.5 on; the logistic of that is the chance of a
 *   yes. One decision in twelve is a slip. All of it rests on what the device's model can see.
 * - `something unseen`: as firm, but on what no feature says (the mail itself, by its number).
 * - `a coin`: one in three, whatever it is.
 */
export const tastes = ["sender and subject", "something unseen", "a coin"] as const;
export type Taste = (typeof tastes)[number];

const slips = 1 / 12;
const likedWords = 0.1;
const coin = 1 / 3;

export function madeUpPerson(taste: Taste, seed: number): (row: StoredProposal) => boolean {
  const random = seededRandom(seed);
  /** The same number for the same thing, another for each person. */
  const drawn = (name: string) => seededRandom(hashOf(`${seed} ${name}`))();
  const normal = (name: string) =>
    Math.sqrt(-2 * Math.log(Math.max(1e-9, drawn(`${name} a`)))) * Math.cos(2 * Math.PI * drawn(`${name} b`));
  const leaning = ({ metadata, rawSubject, category }: StoredProposal) => {
    const words = new Set((rawSubject ?? "").toLowerCase().match(/\p{L}{4,}/gu) ?? []);
    const liked = [...words].filter((word) => drawn(`word ${word}`) < likedWords).length;
    const asks = category === "task" || category === "reply" || category === "event" ? 1 : 0;
    const list = metadata?.relation === "list" ? -1 : 0;
    return -0.5 + 1.5 * normal(`from ${metadata?.sender.address}`) + liked + asks + list;
  };
  return (row) => {
    if (taste === "a coin") return random() < coin;
    const score = taste === "sender and subject" ? leaning(row) : -0.5 + 2 * normal(`mail ${row.id}`);
    const isLiked = random() < 1 / (1 + Math.exp(-score));
    return random() < slips ? !isLiked : isLiked;
  };
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, "utf8")) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
