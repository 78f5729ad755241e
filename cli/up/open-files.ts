import process from "node:process";
import { LocalHomeError } from "../../infra/local/errors.ts";

/** A home that has little to do has some 150 files and connections open; below this it would fail somewhere in its work. */
const fewest = 256;

/**
 * Says at once that a home could not open the files it needs: met later, every part of it fails in words of its own.
 *
 * @param limit how many files this process may have open; undefined where the system knows none
 * @throws LocalHomeError `too_few_files`
 */
export function requireOpenFiles(limit = openFilesLimit()): void {
  if (limit === undefined || limit >= fewest) return;
  throw new LocalHomeError(
    "too_few_files",
    `This process may have ${limit} files open at once, and a home needs ${fewest} at least. Raise the limit where you start it ` +
      "(ulimit -n 1024; LimitNOFILE= of a systemd unit, --ulimit nofile= of a container) and run the same command again.",
  );
}

/** Node has raised it to what the system allows by then. */
export function openFilesLimit(): number | undefined {
  const report: unknown = process.report.getReport();
  const limits: unknown = typeof report === "object" && report !== null ? Reflect.get(report, "userLimits") : undefined;
  const files: unknown = typeof limits === "object" && limits !== null ? Reflect.get(limits, "open_files") : undefined;
  const soft: unknown = typeof files === "object" && files !== null ? Reflect.get(files, "soft") : undefined;
  return typeof soft === "number" ? soft : undefined;
}
