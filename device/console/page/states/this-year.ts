/** The year it is where the browser is. */
export const thisYear = (): number => new Date().getFullYear();
