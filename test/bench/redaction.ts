import { Redactor } from "../../shared/privacy/redaction/redact.ts";

/** What rules begin with, names whose values never end, and what stands inside each other: each on one line, as often as fits. */
const pieces = [
  "-eyJ",
  "eyJhbGciOi.",
  "password=",
  "password = '",
  '"password": ["',
  "api_key: ",
  "-----BEGIN PRIVATE KEY-----",
  "Authorization: Bearer ",
  "cookie: a=",
  "https://user:",
  "docker login -p ",
  "password is ",
  "<password>",
  "aaaaQ~",
  "AKIA",
  "a,password,",
  "0123456789abcdef",
  "word ",
];
const [smallChars, largeChars] = [1_000_000, 10_000_000];
/** Ten times the text; the rest is the noise of a busy machine, and a logarithm. */
const mostTimes = 16;

/** Least processor time of some tries, in milliseconds: what else runs here does not count. */
function cpuMs(text: string, tries: number): number {
  const redactor = new Redactor(Buffer.alloc(32, 7));
  const taken = Array.from({ length: tries }, () => {
    const before = process.cpuUsage();
    redactor.redact(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...taken);
}

/** Redaction of one hostile line of 1 MB and of 10 MB. @returns 1 when ten times the text costs more than it should */
export async function run(): Promise<number> {
  let failed = 0;
  console.log("piece on one line".padEnd(34), "1 MB ms".padStart(9), "10 MB ms".padStart(9), "times".padStart(7));
  for (const piece of pieces) {
    const small = cpuMs(piece.repeat(Math.ceil(smallChars / piece.length)), 3);
    const large = cpuMs(piece.repeat(Math.ceil(largeChars / piece.length)), 1);
    const times = large / Math.max(1, small);
    if (times > mostTimes) failed++;
    const row = [JSON.stringify(piece).padEnd(34), ...[small, large].map((ms) => ms.toFixed(0).padStart(9))];
    console.log(...row, times.toFixed(1).padStart(7), times > mostTimes ? "TOO MUCH" : "");
  }
  return failed === 0 ? 0 : 1;
}
