const texts = new Map<string, string[]>()

/**
 * Takes note of a named statement as its module is loaded, so that `every-statement.db.test.ts` can hold each against the
 * schema.
 */
export function noteStatement(name: string, text: string): void {
  texts.set(name, [...(texts.get(name) ?? []), text])
}

/** The statements of the modules loaded so far: their texts, by their names. */
export const notedStatements = (): ReadonlyMap<string, readonly string[]> => texts
