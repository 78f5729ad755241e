const plainWord = /^[\p{L}\p{N}_./:@=-]+$/u;

/** A name, path or address as it is typed in a shell. */
export const asWord = (text: string): string => (plainWord.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** The command that starts a home on a data folder: whoever asked about it may be used to another one. */
export const upOn = (dataFolder: string): string => `scouts up --data ${asWord(dataFolder)}`;
