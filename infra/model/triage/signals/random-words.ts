/**
 * Pairs of letters that no word of English, French, German, Italian, Portuguese or Spanish has, or one in 100,000 (counted in dictionaries
 * of these). One of them stands in names and loanwords; two in a word are a row of letters drawn at random.
 */
const rarePairs: ReadonlySet<string> = new Set(
  "bq bx cg cj cv cw cx fq fx gq gx hx jb jc jd jf jg jh jj jk jl jm jp jq jr jt jv jw jx jy jz kx lx mj mx pq pv px qb qc qd qe qf qg qh qj qk ql qm qn qo qp qq qr qs qt qv qw qx qy qz sx tx vb vd vf vg vh vj vk vp vq vx vz wq wv wx xb xd xg xj xn xr xv xw yj yq zj zx".split(
    " ",
  ),
);
const fewestPairs = 2;

/**
 * Words nobody speaks (`jznazwq`, `wvxvxm`), each once: advertising adds them so that no two of its mails are the same.
 * @param text in lower case, without addresses
 */
export function randomWords(text: string): number {
  const found = text.match(/(?<![\w.@/'=%&#+-])[a-z]{5,16}(?![\w@/'=%&+-]|\.[a-z])/g);
  return [...new Set(found)].filter(isRandom).length;
}

function isRandom(word: string): boolean {
  // Dutch writes one sound so: tijdelijk.
  const letters = word.replaceAll("ij", "y");
  let pairs = 0;
  for (let at = 0; at + 1 < letters.length; at += 1) if (rarePairs.has(letters.slice(at, at + 2))) pairs += 1;
  return pairs >= fewestPairs;
}
