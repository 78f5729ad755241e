/** Whether somebody has gone on to what stands around the pages: no row takes the focus from there by itself. */
export const isElsewhere = (): boolean => {
  const active = document.activeElement;
  return active !== null && active !== document.body && active.closest("main, .overlay") === null;
};
