/**
 * Pairs of letters that no word of English, French, German, Italian, Portuguese or Spanish has, or one in 100,000 (counted in dictionaries
 * of these), but for those of Slavic languages and Dutch. One of them stands in names and loanwords; two in a word are a row of letters
 * drawn at random.
 */
const rarePairs: ReadonlySet<string> = new Set(
  "bq bx cg cw cx fq fx gq gx hx jq jx kx lx mx pq px qb qc qd qe qf qg qh qj qk ql qm qn qo qp qq qr qs qt qv qw qx qy qz sx vq vx wq wv wx xb xd xg xj xn xr xv xw yq zx".split(
    " ",
  ),
);
const fewestPairs = 2;

/**
 * Words nobody speaks (`jqznawq`, `wvxvxm`), each once: advertising adds them so that no two of its mails are the same. What people are
 * called by and programs name (`ZmnSCPxj`, `QXmlReader`) has large letters inside.
 * @param text as it stands, without addresses
 */
export function randomWords(text: string): number {
  const found = text.match(/(?<![\w.@/'=%&#+-])[A-Za-z]?[a-z]{4,15}(?![\w@/'=%&+-]|\.[a-z])/g) ?? [];
  return [...new Set(found.map((word) => word.toLowerCase()))].filter(isRandom).length;
}

function isRandom(word: string): boolean {
  let pairs = 0;
  for (let at = 0; at + 1 < word.length; at += 1) if (rarePairs.has(word.slice(at, at + 2))) pairs += 1;
  return pairs >= fewestPairs;
}
