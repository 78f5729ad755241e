/** The connection is at its end: its client has gone, or a fault that was armed has cut it. */
export class Cut extends Error {}
