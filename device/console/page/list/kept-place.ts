import { kept } from "../app/kept.ts";

/** A row that was gone to. `id` is that of what it shows; empty where rows have none. */
export interface Place {
  readonly id: string;
  readonly index: number;
}

/** Where somebody is in a list: the first row they see, and the row they stand at, where that is seen. */
export interface Whereabouts {
  readonly first: number;
  readonly at: Place | undefined;
}

/** Where one was when one left a list. */
export interface KeptPlace {
  /** Of another list than the one that was looked at last nothing is known. */
  of(list: string): Whereabouts;
  /** @param isPrivate what the list is narrowed to is somebody's words: they are forgotten with the page */
  keep(list: string, where: Whereabouts, isPrivate: boolean): void;
}

const top: Whereabouts = { first: 0, at: undefined };

/**
 * Remembers where one is in the lists of one kind; also while the tab is loaded anew, by numbers and ids alone.
 *
 * @param kind names it among the lists of this page
 */
export function keptPlace(kind: string): KeptPlace {
  const store = kept(() => sessionStorage, `scouts.place.${kind}`);
  let last = read(store.read());
  store.write(null);
  addEventListener("pagehide", () => store.write(last === undefined || last.isPrivate ? null : written(last)));
  return {
    of: (list) => (last?.list === list ? last.where : top),
    keep(list, where, isPrivate) {
      last = { list, where, isPrivate };
    },
  };
}

interface Last {
  readonly list: string;
  readonly where: Whereabouts;
  readonly isPrivate: boolean;
}

const written = ({ list, where: { first, at } }: Last): string =>
  [first, at?.index ?? "", at?.id ?? "", list].join("\n");

/** Whatever stands there is read: a row that is not there is none. */
function read(text: string | null): Last | undefined {
  const [first, index, id = "", list] = text?.split("\n") ?? [];
  if (list === undefined || !isIndex(first)) return undefined;
  return {
    list,
    where: { first: Number(first), at: isIndex(index) ? { id, index: Number(index) } : undefined },
    isPrivate: false,
  };
}

const isIndex = (text: string | undefined): boolean => /^\d{1,9}$/.test(text ?? "");
