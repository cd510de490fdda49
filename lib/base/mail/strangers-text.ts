/** What mail programs make links of: the dots of a host, `://`, paths and addresses; full stops of other scripts as well. */
const joints = /[.:/@\u2024\u3002\uff0e\uff61](?=\S)/g

/** Text that somebody else chose, so that no mail program makes a link of it: `evil.example/x` becomes `evil. example/ x`. */
export const withoutLinks = (text: string): string => text.replace(joints, '$& ')

const longest = 60

/** A name that somebody else chose, as a mail repeats it: in quotation marks, short, and without links. */
export function quotedName(name: string): string {
  const plain = withoutLinks(name.replace(/["“”„]/g, '').trim())
  return `“${plain.length > longest ? `${plain.slice(0, longest).trimEnd()}…` : plain}”`
}

/**
 * A person's name as a greeting has it. Whoever signs up with a stranger's address chooses what the stranger is called, so
 * what is no plain name is left out.
 */
export const greetedName = (name: string): string | undefined =>
  name.length <= 40 && withoutLinks(name) === name ? name : undefined
