import type * as z from "zod";

type Issue = z.core.$ZodIssue;

/** What a value should be, for the person who gave it. The value itself is not quoted. */
export function issueWords(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeWords[issue.expected] ?? "it has another form";
    case "too_small":
      if (issue.origin === "string") return "a pattern or a name in it is empty";
      return `it is ${issue.minimum} at least`;
    case "too_big":
      if (issue.origin === "string") return `it is longer than ${issue.maximum} characters`;
      if (issue.origin === "array") return `it has more than ${issue.maximum} entries`;
      return `it is ${issue.maximum} at most`;
    case "invalid_value":
      return `it is one of ${issue.values.map(String).join(", ")}`;
    case "unrecognized_keys":
      return `there is no setting ${issue.keys.join(", ")}`;
    default:
      return issue.message;
  }
}

const typeWords: Readonly<Record<string, string>> = {
  number: "it is a number",
  int: "it is a whole number",
  boolean: "it is true or false",
  array: "it is a list",
  string: "it is a word",
  object: "it has settings of its own in it",
  record: "it has settings of its own in it",
};
