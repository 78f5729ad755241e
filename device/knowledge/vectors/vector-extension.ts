import type { DatabaseSync } from "node:sqlite";

/** Where SQLite's extension for vectors is, or why there is none here: it is an optional package with code of the machine's. */
export type VectorExtension = { readonly path: string } | { readonly missing: string };

/** Looks for the package `sqlite-vec`. */
export async function findVectorExtension(): Promise<VectorExtension> {
  try {
    const { getLoadablePath } = await import("sqlite-vec");
    return { path: getLoadablePath() };
  } catch (error) {
    // Not installed, or not made for this machine: npm leaves out what it cannot install.
    return { missing: error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error) };
  }
}

/**
 * Has a connection know the extension's functions, and no other extension.
 *
 * @param connection opened with `allowExtension`
 * @returns why it does not load; undefined when it does
 */
export function loadVectorExtension(connection: DatabaseSync, path: string): string | undefined {
  try {
    connection.loadExtension(path);
    return undefined;
  } catch (error) {
    // Made for another machine or C library, or a SQLite that takes no extensions.
    return error instanceof Error ? error.message : String(error);
  } finally {
    connection.enableLoadExtension(false);
  }
}
