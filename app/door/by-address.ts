const parameter = /\[(\w+)\]/g

/**
 * Looks addresses up in a table.
 * @param table what there is, by its address as its folders below app/ are called: `/interaction/[uid]`
 * @returns finds what a path leads to, with what stands in the place of each folder in brackets; undefined for none of these and
 *   for a path that needs decoding
 */
export function byAddress<T>(
  table: Record<string, T>,
): (path: string) => { found: T; params: Record<string, string> } | undefined {
  const patterns = Object.entries(table)
    .filter(([route]) => route.includes('['))
    .map(([route, found]) => ({
      found,
      pattern: new RegExp(`^${route.replace(parameter, '(?<$1>[\\w-]+)')}$`),
    }))
  return (path) => {
    if (Object.hasOwn(table, path)) return { found: table[path] as T, params: {} }
    for (const { found, pattern } of patterns) {
      const match = pattern.exec(path)
      if (match) return { found, params: { ...match.groups } }
    }
    return undefined
  }
}
