/** Bytes to be looked for, and the one of them that texts hold most seldom. */
export interface Needle {
  readonly bytes: Buffer;
  readonly rareByte: number;
  /** Where in `bytes` it stands. */
  readonly rareAt: number;
}

/** From the most common byte of prose and source code on, roughly; every other is rarer. */
const common = Buffer.from(" etaonirslcdupmhfgyb.,()_v-=w;:/\"'k0x1{}2TSACIERDNPLMF3456789");

const rarity = (byte: number): number => {
  const place = common.indexOf(byte);
  return place === -1 ? common.length : place;
};

/** @param bytes not empty */
export function needleOf(bytes: Buffer): Needle {
  let rareAt = 0;
  for (const [at, byte] of bytes.entries()) if (rarity(byte) > rarity(bytes[rareAt] ?? 0)) rareAt = at;
  return { bytes, rareByte: bytes[rareAt] ?? 0, rareAt };
}

/**
 * As `indexOf`. One byte is looked for six times as fast as several, and most texts that do not hold the needle do not hold its rarest
 * byte either, or only late: no match can begin sooner than that byte allows.
 */
export function indexOfNeedle(text: Buffer, { bytes, rareByte, rareAt }: Needle, from = 0): number {
  const rare = text.indexOf(rareByte, from + rareAt);
  return rare === -1 ? -1 : text.indexOf(bytes, rare - rareAt);
}
