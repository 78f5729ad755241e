import { localTimeAt } from "./zone.ts";

/** Whether it is a day, `2026-11-27`, and not a time of one: local, `2026-11-27T17:00:00`, or a moment in UTC. */
export const isDay = (value: string): boolean => !value.includes("T");

/** The day on which something is due where the person is. @param due a day, or a moment in UTC @param zone an IANA name */
export const dueDay = (due: string, zone: string): string =>
  isDay(due) ? due : localTimeAt(Date.parse(due), zone).slice(0, 10);

/** Whether what is due is overdue: its day is over where the person is, however late it is today. @param today the day it is there */
export const isPastDue = (due: string, today: string, zone: string): boolean => dueDay(due, zone) < today;
