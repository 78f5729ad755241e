import type ICAL from "ical.js";

/** A component of a calendar: VEVENT, VTODO. */
export type Component = InstanceType<typeof ICAL.Component>;
/** What one says: DTSTART, SUMMARY. */
export type Property = InstanceType<typeof ICAL.Property>;

/** The first value of a property as it is written in jCal (RFC 7265): nothing is worked out of it. */
export function rawOf(property: Property): string {
  const [, , , value] = property.toJSON();
  return typeof value === "string" ? value : String(value ?? "");
}

/** A property's first value; empty when there is none. */
export function textOf(component: Component, name: string): string {
  const property = component.getFirstProperty(name);
  return property === null ? "" : rawOf(property);
}
