import fc from "fast-check";

/** Generated trees with nested ignore files, to compare with git. */
const names = fc.constantFrom(
  "a",
  "b",
  "ab",
  "abc",
  "foo",
  "bar",
  "foo.o",
  "a.log",
  "b.log",
  "x y",
  "é",
  "A",
  "#c",
  "!d",
  "b]",
  ".e",
);
const directories = fc.constantFrom("a", "b", "foo", "sub", "build", "x y", "é");
const piece = fc.oneof(
  { weight: 6, arbitrary: names },
  { weight: 3, arbitrary: directories },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "*",
      "**",
      "*.log",
      "a*",
      "*b",
      "?",
      "??",
      "[ab]",
      "[!a]",
      "[a-c]*",
      "f*o",
      "*.[ol]",
      "a**",
      "**b",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "[[:alpha:]]",
      "[",
      "[a",
      "a\\",
      "\\a",
      "\\*",
      "[]a]",
      "[^]]",
      "***",
      "[a-",
      "[\\a]",
      "[[:x:]]",
      "a?b",
      "é*",
    ),
  },
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "!", "\\"),
    fc.constantFrom("", "", "/", "**/"),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "", "/", "/**", " ", "\\ ", "/*", "\r"),
  )
  .map(([sign, lead, pieces, end]) => sign + lead + pieces.join("/") + end);
const line = fc.oneof(
  { weight: 12, arbitrary: pattern },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "# note", " ", "/", "!", "\t", "a\tb", "**/", "\\", "\\#c", "\\!d", "*/", "!*/"),
  },
);
const ignoreFile = fc
  .tuple(
    fc.constantFrom("", "", "", "\ufeff"),
    fc.array(line, { minLength: 1, maxLength: 6 }),
    fc.constantFrom("\n", ""),
  )
  .map(([mark, lines, end]) => mark + lines.join("\n") + end);
const directory = fc.array(directories, { maxLength: 3 }).map((parts) => parts.map((part) => `${part}/`).join(""));

export interface IgnoreTree {
  /** Directory (with a final slash, or empty) to the text of its ignore file. */
  rules: Record<string, string>;
  /** Paths of files, those that can exist beside each other. */
  files: string[];
}

export const ignoreTrees: fc.Arbitrary<IgnoreTree> = fc
  .record({
    rules: fc.dictionary(directory, ignoreFile, { minKeys: 1, maxKeys: 3 }),
    files: fc.array(
      fc.tuple(directory, names).map(([parent, name]) => parent + name),
      { minLength: 3, maxLength: 14 },
    ),
  })
  .map(({ rules, files }) => {
    const wanted = [...new Set(files)];
    const isDirectory = (path: string) =>
      [...wanted, ...Object.keys(rules)].some((other) => other.startsWith(`${path}/`));
    return { rules, files: wanted.filter((path) => !isDirectory(path)) };
  });
