import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { DeviceError } from "../errors.ts";
import { systemCode } from "../files/backends/fs/fs-errors.ts";
import type { ToolDefinition } from "../workspace/tool-definition.ts";
import { searchPath, type Variables } from "../workspace/workspace.ts";
import { changeToolList, type ToolListPlace } from "./tool-list.ts";

/**
 * Puts a tool on the list.
 *
 * @returns the program as it is found now, undefined when there is none; whether there was a tool of that name
 * @throws DeviceError `tool_exists`, `tool_list_unconfirmed`, `tool_list_unreadable`
 */
export async function allowTool(
  tool: ToolDefinition,
  { replaces, ...place }: ToolListPlace & { readonly replaces: boolean },
): Promise<{ readonly program: string | undefined; readonly replaced: boolean }> {
  let replaced = false;
  await changeToolList(place, ({ tools, offers }) => {
    replaced = tools.some(({ name }) => name === tool.name);
    if (replaced && !replaces) throw new DeviceError("tool_exists");
    return { tools: [...tools.filter(({ name }) => name !== tool.name), tool], offers };
  });
  return { program: programOf(tool, place.variables), replaced };
}

/** What the first word of a tool names: a path as it is, a name as PATH has it. */
function programOf({ argv: [program = ""] }: ToolDefinition, variables: Variables): string | undefined {
  if (isAbsolute(program)) return isProgram(program) ? program : undefined;
  // A path in the project: it is there or not, each time.
  if (/[/\\]/.test(program)) return program;
  const endings = process.platform === "win32" ? ["", ...(variables["PATHEXT"] ?? ".EXE").split(";")] : [""];
  const folders = searchPath(variables).split(delimiter);
  return folders.flatMap((folder) => endings.map((ending) => join(folder, `${program}${ending}`))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
