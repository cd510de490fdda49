const overrides = 'lib/edges/oauth/overrides/'

/** What may be done to the engine in `overrides` alone, and how it is recognised. See decision 013. */
const deep: [pattern: RegExp, what: string][] = [
  [/['"]oidc-provider\//, 'imports an inner module of the engine'],
  [/\.prototype\b/, 'changes or reads a prototype'],
  [/\bas (?:never|unknown as)\b/, 'casts away what the types say'],
  [/@ts-(?:ignore|expect-error)/, 'casts away what the types say'],
  [/\bprovider\.[A-Z]\w*\.\w+\s*=(?!=)/, 'replaces a member of a model'],
  [/Object\.(?:assign|define\w+)\(\s*provider\b/, 'replaces a member of the engine'],
]

/** Files that are about the engine: those of the OAuth edge, and whatever else names the package. */
const concerned = (file: string, source: string) =>
  !file.endsWith('.test.ts') &&
  !file.startsWith(overrides) &&
  (file.startsWith('lib/edges/oauth/') ||
    (/^(app|components|lib)\//.test(file) &&
      !file.startsWith('lib/testing/') &&
      /['"]oidc-provider['"/]/.test(source)))

/**
 * Deep reaches into the engine, which rest on names that its changelog may move: they stand in one folder.
 * @param file path from the root of the repository, with forward slashes
 * @returns one line for each reach elsewhere
 */
export function deepReaches(file: string, source: string): string[] {
  if (!concerned(file, source)) return []
  const code = source.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '$1')
  return deep
    .filter(([pattern]) => pattern.test(code))
    .map(([, what]) => `${file}: ${what}; that stands in ${overrides} alone`)
}
