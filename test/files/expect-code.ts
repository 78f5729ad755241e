import { expect } from "vitest";
import { isProjectFilesError, type ProjectFilesErrorCode } from "../../device/files/errors.ts";

/** Awaits a failure and compares its code; any other error, and success, fail the test. */
export async function expectCode(
  attempt: Promise<unknown> | AsyncIterable<unknown>,
  ...codes: ProjectFilesErrorCode[]
): Promise<void> {
  let outcome: unknown = "success";
  try {
    if (attempt instanceof Promise) await attempt;
    else for await (const _ of attempt);
  } catch (error) {
    outcome = isProjectFilesError(error) ? error.code : error;
  }
  expect(codes).toContain(outcome);
}

/** All of a stream. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of stream) all.push(item);
  return all;
}

/** UTF-8 bytes. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The reverse. */
export function text(content: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(content);
}
