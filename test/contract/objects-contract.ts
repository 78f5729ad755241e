import { ulid } from "ulidx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ObjectKey, objectKey } from "../../events/payload.ts";
import type { Objects } from "../../shared/ports/objects.ts";

const user = "usr_0123456789abcdefghijklmnop";
const newPrefix = () => `${user}/ses_${ulid()}/`;
const keyIn = (prefix: string): ObjectKey => objectKey.parse(`${prefix}${ulid()}`);
const bytes = (...values: number[]) => Uint8Array.from(values);

/** What every implementation of {@link Objects} keeps. */
export function objectsContract(name: string, open: () => Promise<{ objects: Objects; close(): Promise<void> }>): void {
  describe(`objects ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    keepsObjects(() => opened.objects);
  });
}

function keepsObjects(open: () => Objects): void {
  test("what is put is got, byte for byte, and put again is replaced", async () => {
    const objects = open();
    const key = keyIn(newPrefix());
    const all = Uint8Array.from({ length: 256 }, (_, value) => value);
    await objects.put(key, all);
    expect(await objects.get(key)).toEqual(all);
    await objects.put(key, bytes(7));
    expect(await objects.get(key)).toEqual(bytes(7));
  });

  test("what is not there is undefined, and may be deleted", async () => {
    const objects = open();
    const prefix = newPrefix();
    const [absent, present] = [keyIn(prefix), keyIn(prefix)];
    await objects.put(present, bytes(1));
    await objects.delete([absent, present]);
    expect(await objects.get(absent)).toBeUndefined();
    expect(await objects.get(present)).toBeUndefined();
    await expect(objects.delete([])).resolves.toBeUndefined();
  });

  test("everything under a prefix goes, however much, and nothing else", async () => {
    const objects = open();
    const [prefix, other] = [newPrefix(), newPrefix()];
    const kept = keyIn(other);
    await objects.put(kept, bytes(1));
    const gone = Array.from({ length: 25 }, () => keyIn(prefix));
    await Promise.all(gone.map((key) => objects.put(key, bytes(2))));
    expect(await objects.deleteUnder(prefix)).toBe(25);
    expect(await objects.deleteUnder(prefix)).toBe(0);
    expect(await Promise.all(gone.map((key) => objects.get(key)))).toEqual(gone.map(() => undefined));
    expect(await objects.get(kept)).toEqual(bytes(1));
  });

  test("an offer names its object and takes an upload of that size", async () => {
    const key = keyIn(newPrefix());
    const offer = await open().offer({ key, bytes: 10 }, 60);
    expect(offer.ref).toEqual({ key, bytes: 10 });
    expect(offer.fields["key"]).toBe(key);
  });
}
