/** What a setting says when a deployment goes without the service it belongs to. */
export const off = "off";

/** Values that stand in documents and examples, and in no real deployment. */
const placeholder = /^(unset|changeme|todo|xxx+)$|\bunset\b|<[^<>]*>|\bmy-project\b|\bexample\.(com|org|net)\b/i;

const problems: string[] = [];

function given(name: string): string | undefined {
  const value = process.env[name]?.trim();
  if (!value) return undefined;
  if (placeholder.test(value)) problems.push(`${name} is a placeholder (${value}): set it to the real value`);
  return value;
}

function text(name: string, fallback?: string): string {
  const value = given(name) ?? fallback;
  if (value === undefined) problems.push(`${name} is not set`);
  return value ?? "";
}

/** Also `localhost:11434` can be parsed: as an address whose scheme is `localhost`, where nothing can be asked. */
function url(name: string, fallback?: string): string {
  const value = text(name, fallback);
  if (value && !(/^https?:/i.test(value) && URL.canParse(value))) {
    problems.push(`${name} is no address that begins with http:// or https:// (${value})`);
  }
  return value;
}

/** Names between dots, as Route 53 hosts them. */
const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

/** The name of a host alone; "" where none is given. */
function host(name: string): string {
  const value = text(name, "");
  if (value && !hostName.test(value)) {
    problems.push(`${name} is no name of a host alone, as api.mydomain.net, without https:// and path (${value})`);
  }
  return value;
}

/** Dollars for a million tokens, as functions/environment.ts takes them. */
function prices(name: string, fallback: string): string {
  const value = text(name, fallback);
  if (!/^\d+(\.\d+)?\/\d+(\.\d+)?$/.test(value)) {
    problems.push(`${name} is not two prices with a slash between, as ${fallback} (${value})`);
  }
  return value;
}

function count(name: string, fallback: number, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(given(name) ?? fallback);
  if (!Number.isInteger(value) || value < least || value > most) {
    problems.push(
      `${name} is no whole number ${most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`}`,
    );
  }
  return value;
}

/** Readers of one setting each. They note what is wrong; {@link read.finish} says it all at once. */
export const read = {
  text,
  url,
  host,
  prices,
  count,
  /** A number of units a minute; the functions take digits only. */
  units: (name: string, fallback: number): string => String(count(name, fallback, 1)),
  urlOrOff: (name: string): string => (given(name) === undefined || given(name) === off ? off : url(name)),
  /** AWS takes 2 to 1,000 for the concurrency of an event source mapping. */
  concurrency: (name: string, fallback: number): number => count(name, fallback, 2, 1000),
  oneOf<T extends string>(name: string, values: readonly [T, ...T[]]): T {
    const value = given(name) ?? values[0];
    const found = values.find((each) => each === value);
    if (found === undefined) problems.push(`${name} is none of ${values.join(", ")}`);
    return found ?? values[0];
  },
  /** @throws Error that names every setting that is missing, malformed or a placeholder */
  finish(): void {
    if (problems.length === 0) return;
    const list = [...new Set(problems)].map((problem) => `  - ${problem}`).join("\n");
    throw new Error(`This deployment cannot be configured (docs/deploy.md, "Settings"):\n${list}`);
  },
};
