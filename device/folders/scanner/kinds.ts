import type { IndexedKind } from "../../../events/frames/folders.ts";

/** Extensions that are read, lower case; everything else is counted and left alone. */
const textExtensions = [
  "md markdown mdx txt text log rst adoc asciidoc org tex bib csv tsv",
  "ts tsx mts cts js jsx mjs cjs json jsonc json5 jsonl ndjson html htm xhtml css scss sass less vue svelte astro",
  "py pyi pyx ipynb rb erb rake go rs java kt kts scala sbt groovy gradle clj cljs cljc edn swift m mm",
  "c h cc cpp cxx hh hpp hxx inl cu cs fs fsi fsx vb php phtml pl pm lua r rmd jl dart ex exs erl hrl elm hs lhs ml mli",
  "nim zig v vhd vhdl sv d pas f f90 f95 for asm s lisp el scm rkt tcl cob cbl ada adb ads sol cr",
  "sh bash zsh fish ps1 psm1 bat cmd awk sed sql prisma graphql gql proto thrift avsc tf hcl nix cmake mk",
  "yml yaml toml ini cfg conf properties xml xsd xsl xslt plist svg editorconfig gitignore dockerignore",
]
  .join(" ")
  .split(" ");

const htmlExtensions = new Set(["html", "htm", "xhtml"]);

/** Files that are known by their whole name. */
const textNames = ["readme", "license", "makefile", "dockerfile", "jenkinsfile", "rakefile", "gemfile", "procfile"];

const kinds = new Map<string, IndexedKind>([
  ...textExtensions.map((extension) => [extension, "text"] as const),
  ["pdf", "pdf"],
  ["docx", "docx"],
  ["png", "image"],
  ["jpg", "image"],
  ["jpeg", "image"],
]);
const namedKinds = new Set(textNames);

/** Every extension and name that is read. */
export const readableNames: readonly string[] = [...kinds.keys(), ...textNames];

/** Lower case, without the dot; "" when the name has none, or begins with its only one. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** How a file of that name would be read; undefined when it is not. */
export function kindOfName(name: string, extension = extensionOf(name)): IndexedKind | undefined {
  if (extension === "") return namedKinds.has(name.toLowerCase()) ? "text" : undefined;
  return kinds.get(extension);
}

/** Whether a file of that name is a page, whose text is what it shows and not how it is written. */
export function isPageName(name: string): boolean {
  return htmlExtensions.has(extensionOf(name));
}
