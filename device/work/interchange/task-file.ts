import type { Project } from "../../store/folder-schema.ts";
import type { Draft } from "../entities.ts";

/** A task of a file: what it says, and which task of this device it was written from. */
export interface FileTask {
  readonly id: string | undefined;
  readonly draft: Draft<"task">;
}

/** The projects of this device, by what a file calls them. */
export type FileProjects = readonly Pick<Project, "id" | "name">[];

/** One line of a title. */
export const inOneLine = (title: string): string => title.replace(/\s+/gu, " ").trim();

/** How a project is called in one word: `+Garden_shed`. */
export const projectWord = (name: string): string => name.trim().replace(/\s+/gu, "_");

/** The id of a task as a file gives it. */
export const idIn = (text: unknown): string | undefined =>
  typeof text === "string" && /^tsk_[0-9A-Z]{26}$/.test(text) ? text : undefined;

/** The project of an id, where this device has it. */
export const projectIn = (projects: FileProjects, id: unknown): Draft<"task"> => {
  const found = projects.find((each) => each.id === id);
  return found === undefined ? {} : { projectId: found.id };
};
