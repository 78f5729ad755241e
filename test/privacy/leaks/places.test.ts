import { expect, test } from "vitest";
import { alteredTree } from "../../e2e/altered-tree.ts";
import { ownFolder } from "../../e2e/folders.ts";
import * as ofContent from "./of-content.ts";
import * as ofMail from "./of-mail.ts";

const alterations = {
  mail: [...ofMail.leaks.map(({ alteration }) => alteration), ...ofMail.rights],
  content: [...ofContent.leaks.map(({ alteration }) => alteration), ofContent.keptKey],
};

/** The suites that break the product there are for the whole run only: it is noticed here when a place has moved. */
test.each(["mail", "content"] as const)("every place where a product would leak %s is there, once", (of) => {
  const tree = ownFolder();
  try {
    expect(alteredTree(tree.path, alterations[of])).toContain(tree.path);
  } finally {
    tree.remove();
  }
});
