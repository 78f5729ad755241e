/** A command of this program between backticks: no backtick of a name that somebody gave. */
const command = /`(scouts [^`]+)`/;

/** A text, and the commands in it as what is typed. */
export const WithCode = ({ text }: { readonly text: string }) =>
  text.split(command).map((part, at) => {
    // Every second one is what the pattern has found.
    if (at % 2 === 0) return part;
    return <code key={part}>{part}</code>;
  });
