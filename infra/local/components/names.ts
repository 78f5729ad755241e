/** Account and region of the local cloud: those the embedded engines use by themselves. */
export const account = "000000000000";
export const region = "us-east-1";

/** The name AWS gives a resource; the embedded engines use the same. */
export const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;

/** Letters and digits only, first letter upper case, as SST makes logical names out of free text. */
export const logicalName = (text: string) =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const secondsPer: Record<string, number> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 };

/** SST's durations: `"20 seconds"`, `"1 minute"`, `"2 hours"`, `"1 day"`. */
export function seconds(duration: string): number {
  const match = /^(\d+) (second|minute|hour|day|week)s?$/.exec(duration);
  const unit = secondsPer[match?.[2] ?? ""];
  if (!match || unit === undefined) throw new Error(`"${duration}" is not a duration such as "20 seconds".`);
  return Number(match[1]) * unit;
}

/** SST's sizes: `"512 MB"`, `"1 GB"`. */
export function megabytes(size: string): number {
  const match = /^(\d+) (MB|GB)$/.exec(size);
  if (!match) throw new Error(`"${size}" is not a size such as "512 MB".`);
  return Number(match[1]) * (match[2] === "GB" ? 1024 : 1);
}
