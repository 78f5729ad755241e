const words =
  "alpha beta gamma handler request response session index value config buffer stream parse token verdict cursor".split(
    " ",
  );

/** Numbers in [0, 1), the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Rows made until there are so many megabytes. */
function filled(megabytes: number, seed: number, make: (at: number, random: () => number) => string): string {
  const random = randomOf(seed);
  const parts: string[] = [];
  for (let [at, chars] = [0, 0]; chars < megabytes * 1e6; at++) {
    const part = make(at, random);
    parts.push(part);
    chars += part.length;
  }
  return parts.join("");
}

const wordOf = (random: () => number) => words[Math.floor(random() * words.length)] ?? "";
const sentence = (random: () => number, count: number) => Array.from({ length: count }, () => wordOf(random)).join(" ");

export function csvOf(megabytes: number, seed: number): Buffer {
  const rows = filled(megabytes, seed, (at, random) => {
    const day = `2026-${String(1 + Math.floor(random() * 12)).padStart(2, "0")}-${String(1 + Math.floor(random() * 28)).padStart(2, "0")}`;
    return `${at},${day},${wordOf(random)},"${sentence(random, 4)}, ${wordOf(random)}",${(random() * 1_000).toFixed(3)},${random() < 0.1 ? "" : Math.floor(random() * 500)}\n`;
  });
  return Buffer.from(`id,day,kind,text,price,count\n${rows}`);
}

export function jsonOf(megabytes: number, seed: number): Buffer {
  const rows = filled(megabytes, seed, (at, random) =>
    JSON.stringify({
      id: at,
      name: sentence(random, 2),
      kind: wordOf(random),
      price: Number((random() * 1_000).toFixed(2)),
      isOpen: random() < 0.5,
      tags: [wordOf(random), wordOf(random)],
      place: { city: wordOf(random), at: [random() * 90, random() * 180] },
    }).concat(",\n"),
  );
  return Buffer.from(`[${rows.slice(0, -2)}]`);
}

export function htmlOf(megabytes: number, seed: number): Buffer {
  const body = filled(
    megabytes,
    seed,
    (at, random) =>
      `<section class="s${at % 7}" id="part-${at}"><h2>${sentence(random, 4)}</h2><p data-n="${at}">${sentence(random, 30)} <a href="/x/${at}">${wordOf(random)}</a> &amp; <b>${wordOf(random)}</b></p><img src="i${at}.png" alt="${wordOf(random)}"></section>\n`,
  );
  return Buffer.from(
    `<!doctype html><html lang="en"><head><title>Page</title></head><body><main>${body}</main></body></html>`,
  );
}

export function markdownOf(megabytes: number, seed: number): Buffer {
  return Buffer.from(
    filled(
      megabytes,
      seed,
      (at, random) =>
        `## ${sentence(random, 3)}\n\n${sentence(random, 40)} [${wordOf(random)}](http://a.example/${at}) and **${wordOf(random)}**.\n\n- ${sentence(random, 6)}\n- ${sentence(random, 6)}\n\n\`\`\`ts\nconst x = ${at};\n\`\`\`\n\n`,
    ),
  );
}
