/** What a list is looked through for: a part of a name, in any case. */
export const isNamed = ({ name }: { readonly name: string }, text: string): boolean =>
  name.toLowerCase().includes(text.trim().toLowerCase());
