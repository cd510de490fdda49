/** What a name such as `project.created` begins with. */
const kindOf = (name: string): string => name.split('.', 1)[0] as string

/**
 * What is wrong with a name of two parts such as `project.created`, where there are more than anybody wants to read in one sentence.
 * @param what such as "action"
 * @param known all that there are
 * @returns a sentence with those that begin alike, else with how they begin; undefined for one that there is
 */
export function unknownName(what: string, name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined
  const siblings = known.filter((other) => kindOf(other) === kindOf(name))
  return siblings.length > 0
    ? `There is no ${what} “${name}”. There is ${siblings.join(', ')}.`
    : `There is no ${what} “${name}”. They begin with ${[...new Set(known.map(kindOf))].join(', ')}.`
}
