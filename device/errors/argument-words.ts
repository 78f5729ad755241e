import type * as z from "zod";

type Issue = z.core.$ZodIssue;

/** As many as somebody mends at once. */
const mostTold = 5;

/**
 * What is wrong with the arguments of a call, each by its name, for whoever made it: a person at a terminal, a program, a language
 * model. No value is quoted.
 */
export const argumentWords = ({ issues }: { readonly issues: readonly Issue[] }): string =>
  issues
    // Of one that is no list its length is found wrong as well.
    .filter(({ path }, at) => issues.findIndex((first) => first.path.join(".") === path.join(".")) === at)
    .slice(0, mostTold)
    .map((issue) => `${issue.path.map(String).join(".") || "arguments"}: ${words(issue)}`)
    .join("; ");

function words(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      // The only trace of what was given.
      if (issue.message.endsWith("received undefined")) return "it is missing";
      return `it must be ${kinds[issue.expected] ?? issue.expected}`;
    case "too_small":
      if (isNumber(issue.origin))
        return `it must be ${issue.inclusive ? "" : "more than "}${issue.minimum}${issue.inclusive ? " at least" : ""}`;
      if (issue.minimum === 1) return "it is empty";
      return `it must have ${issue.minimum} ${parts(issue.origin)} at least`;
    case "too_big":
      if (isNumber(issue.origin))
        return `it must be ${issue.inclusive ? "" : "less than "}${issue.maximum}${issue.inclusive ? " at most" : ""}`;
      return `it has more than ${issue.maximum} ${parts(issue.origin)}`;
    case "invalid_value":
      return `it must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return formWords(issue);
    case "unrecognized_keys":
      return `there is no argument ${issue.keys.join(", ")}`;
    default:
      return issue.message;
  }
}

/** A whole number beyond what is exact is an `int` that is too big. */
const isNumber = (origin: string): boolean => ["number", "int", "bigint"].includes(origin);

/** The pattern itself says nothing to a person; what ids begin with does. */
function formWords({ format, pattern }: Extract<Issue, { readonly code: "invalid_format" }>): string {
  const prefix = /^\/\^(\w+_)\[/.exec(pattern ?? "")?.[1];
  if (prefix !== undefined) return `it must be an id that begins with ${prefix}`;
  return format === "regex" ? "it is not of the form it must have" : `it must be written as ${format}`;
}

const parts = (origin: string): string => (origin === "string" ? "characters" : "entries");

const kinds: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  string: "a text",
  object: "an object",
  record: "an object",
};
