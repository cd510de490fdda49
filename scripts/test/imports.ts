import path from 'node:path'

/** The layers of the product, lowest first. A file imports from its own layer and from those below. */
const LAYERS = ['base', 'policy', 'feature', 'edge', 'surface'] as const

type Layer = (typeof LAYERS)[number]

const BASE = ['config', 'credentials', 'db', 'errors', 'generated']
const EDGES = ['graphql', 'oauth', 'web']

/** Frameworks that only the edges and what is above them may know. */
const FRAMEWORK =
  /^(next|next-auth|react|react-dom|oidc-provider|graphql|graphql-yoga|@pothos|@escape\.tech)(\/|$)/

const TEST_FILE = /\.test\.tsx?$|^lib\/testing\/|^(e2e|bench|scripts|examples)\//

/**
 * The layer of a file.
 * @param file path from the root of the repository, with forward slashes
 * @returns undefined for what is no part of the product: tests, scripts, configuration
 */
export function layerOf(file: string): Layer | undefined {
  if (TEST_FILE.test(file)) return undefined
  const [top, folder = ''] = file.split('/')
  if (top === 'app' || top === 'components') return 'surface'
  if (top !== 'lib') return undefined
  if (BASE.includes(folder)) return 'base'
  if (folder === 'policy') return 'policy'
  return EDGES.includes(folder) ? 'edge' : 'feature'
}

/** Every module that a source names: imports, re-exports, types and dynamic imports alike. */
export function importsOf(source: string): string[] {
  const code = source.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '$1')
  const named = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g
  return [...code.matchAll(named)].map((match) => match[2] as string)
}

/**
 * Checks one file against the rules of ARCHITECTURE.md.
 * @param file path from the root of the repository, with forward slashes
 * @returns one line for each import that must not be
 */
export function wrongImports(file: string, source: string): string[] {
  const layer = layerOf(file)
  if (layer === undefined) return []
  return importsOf(source)
    .map((name) => reasonAgainst(file, layer, name))
    .filter((reason) => reason !== undefined)
}

function reasonAgainst(file: string, layer: Layer, name: string): string | undefined {
  const target = targetOf(file, name)
  if (target === undefined) {
    const innocent = layer === 'edge' || layer === 'surface' || !FRAMEWORK.test(name)
    return innocent ? undefined : `${file}: the domain must not import ${name}`
  }
  if (TEST_FILE.test(`${target}/`))
    return `${file}: the product must not import ${target}, which is for tests and tools`
  if (file.startsWith('components/') && target.startsWith('app/')) {
    return `${file}: components must not import pages (${target})`
  }
  const other = layerOf(target)
  if (other === undefined || LAYERS.indexOf(other) <= LAYERS.indexOf(layer)) return undefined
  return `${file}: ${layer} must not import ${other} (${target})`
}

/** The file in the repository that an import means; undefined for a package. */
function targetOf(file: string, name: string): string | undefined {
  if (name.startsWith('@/')) return name.slice(2)
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : undefined
}
