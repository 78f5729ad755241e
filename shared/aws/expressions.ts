import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import type { Change, Condition, Path, Value } from "../ports/table.ts";

/**
 * Collects the placeholders of one DynamoDB request. Every name and value goes through a placeholder, so reserved words
 * and dots in map keys need no care.
 */
export class Expressions {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, AttributeValue> = {};
  readonly #nameOf = new Map<string, string>();

  path(path: Path): string {
    return path.map((part) => this.name(part)).join(".");
  }

  name(part: string): string {
    const known = this.#nameOf.get(part);
    if (known !== undefined) return known;
    const placeholder = `#${this.#nameOf.size}`;
    this.#nameOf.set(part, placeholder);
    this.names[placeholder] = part;
    return placeholder;
  }

  value(value: Value): string {
    const placeholder = `:${Object.keys(this.values).length}`;
    const marshalled = marshall({ value })["value"];
    if (marshalled === undefined) throw new TypeError("A stored value cannot be undefined");
    this.values[placeholder] = marshalled;
    return placeholder;
  }

  condition(condition: Condition): string {
    if ("exists" in condition) return `attribute_exists(${this.path(condition.exists)})`;
    if ("absent" in condition) return `attribute_not_exists(${this.path(condition.absent)})`;
    if ("all" in condition) return condition.all.map((each) => this.#operand(each)).join(" AND ");
    if ("any" in condition) return condition.any.map((each) => this.condition(each)).join(" OR ");
    const path = this.path(condition.path);
    if ("in" in condition) return `${path} IN (${condition.in.map((value) => this.value(value)).join(", ")})`;
    return `${path} ${condition.is} ${this.value(condition.value)}`;
  }

  /**
   * `AND` binds tighter than `OR`: nothing else needs brackets. dynalite tries each bracket in several ways, those within it
   * for each of them again, so that needless ones cost a tenth of what a local home computes.
   */
  #operand(condition: Condition): string {
    const expression = this.condition(condition);
    return "any" in condition && condition.any.length > 1 ? `(${expression})` : expression;
  }

  change(change: Change): string {
    const sets = (change.set ?? []).map(([path, value]) => `${this.path(path)} = ${this.value(value)}`);
    // `ADD` takes no map paths below a missing map, but it starts at 0, which `SET a = a + :n` does not.
    const adds = (change.add ?? []).map(([path, amount]) => `${this.path(path)} ${this.value(amount)}`);
    const removes = (change.remove ?? []).map((path) => this.path(path));
    return [
      sets.length > 0 ? `SET ${sets.join(", ")}` : "",
      adds.length > 0 ? `ADD ${adds.join(", ")}` : "",
      removes.length > 0 ? `REMOVE ${removes.join(", ")}` : "",
    ]
      .filter((clause) => clause !== "")
      .join(" ");
  }

  /** The placeholder maps; DynamoDB refuses an empty one. */
  placeholders(): {
    ExpressionAttributeNames?: Record<string, string>;
    ExpressionAttributeValues?: Record<string, AttributeValue>;
  } {
    return {
      ...(Object.keys(this.names).length > 0 ? { ExpressionAttributeNames: this.names } : {}),
      ...(Object.keys(this.values).length > 0 ? { ExpressionAttributeValues: this.values } : {}),
    };
  }
}
