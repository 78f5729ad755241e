import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isStatement, type Node, type SourceFile } from "typescript/unstable/ast";
import {
  isCallExpression,
  isFunctionDeclaration,
  isMethodDeclaration,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isStringLiteral,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/sync";

/** A place in a source file, told by what stands there and not by how it is laid out. There must be exactly one. */
export type Place = (
  | {
      /** A call of this function, as it is written: `ports.sync.send`. */
      readonly call: string;
    }
  | {
      /** A property of an object that is made here. */
      readonly property: string;
    }
) & {
  /** Only inside the function, method or variable of that name, or the call of which an argument is that text. */
  readonly within?: string;
};

/** Where a node and what is around it lie, as offsets into the text. */
export interface Found {
  readonly node: Span;
  /** The statement it is part of. */
  readonly statement: Span;
}
interface Span {
  readonly start: number;
  readonly end: number;
}

/** @returns for each place where it lies in its file */
export function findPlaces(folder: string, wanted: readonly (Place & { readonly file: string })[]): Found[] {
  // Only these files are read: neither what they import nor the library's types matter.
  const config = join(folder, "tsconfig.places.json");
  const compilerOptions = { noResolve: true, noLib: true, types: [], noEmit: true };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [...new Set(wanted.map(({ file }) => file))] }));
  const api = new API({ cwd: folder });
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    return wanted.map(({ file, ...place }) => {
      const source = project?.program.getSourceFile(join(folder, file));
      if (!source) throw new Error(`${file} cannot be read`);
      const found = nodesAt(source, place);
      const [only] = found;
      if (only === undefined || found.length > 1) {
        throw new Error(`${file} has ${found.length} places like ${JSON.stringify(place)}`);
      }
      return only;
    });
  } finally {
    api.close();
  }
}

function nodesAt(source: SourceFile, place: Place): Found[] {
  const found: Found[] = [];
  const spanOf = (node: Node): Span => ({ start: node.getStart(source), end: node.end });
  const visit = (node: Node, statement: Node, isWithin: boolean) => {
    const around = isStatement(node) ? node : statement;
    const inside = isWithin || place.within === undefined || isNamed(node, place.within, source);
    if (inside && is(node, place, source)) found.push({ node: spanOf(node), statement: spanOf(around) });
    node.forEachChild((child) => visit(child, around, inside));
  };
  visit(source, source, false);
  return found;
}

function is(node: Node, place: Place, source: SourceFile): boolean {
  if ("call" in place) return isCallExpression(node) && node.expression.getText(source) === place.call;
  return (
    (isPropertyAssignment(node) || isShorthandPropertyAssignment(node)) && node.name.getText(source) === place.property
  );
}

/** Whether others know a node by a name. */
function isNamed(node: Node, name: string, source: SourceFile): boolean {
  if (isFunctionDeclaration(node) || isMethodDeclaration(node) || isVariableDeclaration(node))
    return node.name?.getText(source) === name;
  return isCallExpression(node) && node.arguments.some((each) => isStringLiteral(each) && each.text === name);
}
