import path from 'node:path'

/**
 * The layers of the product, lowest first. A file can import from its own layer and lower layers, with the
 * exceptions in `reasonAgainst`. See ADR 0002.
 */
const FLOORS = ['base', 'policy', 'feature', 'edge', 'server', 'command', 'surface'] as const

type Floor = (typeof FLOORS)[number]

/** The layers of the folders in lib. lib/testing has no layer, because it is not part of the product. */
const FOLDERS: Record<string, Floor> = {
  base: 'base',
  generated: 'base',
  policy: 'policy',
  features: 'feature',
  edges: 'edge',
  server: 'server',
  commands: 'command',
}

/** Matches the frameworks that only the edges and higher layers can import. */
const FRAMEWORK = /^(next|react|react-dom|oidc-provider|graphql|graphql-yoga|@pothos|@escape\.tech)(\/|$)/

/** The only file that imports next/link. */
const LINK = 'components/ui/link.tsx'

const TEST_FILE = /\.test\.tsx?$|^lib\/testing\/|^(e2e|bench|scripts|examples)\//

/**
 * Returns the layer of a file.
 * @param file path from the root of the repository, with forward slashes
 * @returns undefined for a file without a layer, such as a test, a script, or a file in the repository's root
 */
export function floorOf(file: string): Floor | undefined {
  if (TEST_FILE.test(file)) return undefined
  const [top, folder = ''] = file.split('/')
  if (top === 'app' || top === 'components') return 'surface'
  return top === 'lib' ? FOLDERS[folder] : undefined
}

/** Returns every module that a source file imports or re-exports, including types and dynamic imports. */
export function importsOf(source: string): string[] {
  const code = source.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '$1')
  const named = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g
  return [...code.matchAll(named)].map((match) => match[2] as string)
}

/**
 * Checks one file against the import rules of ARCHITECTURE.md.
 * @param file path from the root of the repository, with forward slashes
 * @returns one line for each forbidden import, or one line if the file is in lib but in no layer
 */
export function wrongImports(file: string, source: string): string[] {
  if (strayFile.test(file)) return [`${file}: a file of lib must be in one of its layers (ARCHITECTURE.md)`]
  const floor = floorOf(file)
  if (floor === undefined) return []
  return importsOf(source)
    .map((name) => reasonAgainst(file, floor, name))
    .filter((reason) => reason !== undefined)
}

const strayFile = /^lib\/(?!(base|generated|policy|features|edges|server|commands|testing)\/)/

function reasonAgainst(file: string, floor: Floor, name: string): string | undefined {
  const target = targetOf(file, name)
  if (target === undefined) {
    // Next's own component prefetches each visible link.
    if (name === 'next/link' && file !== LINK) return `${file}: use Link from ${LINK}, not ${name}`
    const innocent = FLOORS.indexOf(floor) >= FLOORS.indexOf('edge') || !FRAMEWORK.test(name)
    return innocent ? undefined : `${file}: the domain must not import ${name}`
  }
  if (TEST_FILE.test(`${target}/`))
    return `${file}: the product must not import ${target}, which is for tests and tools`
  if (file.startsWith('components/') && target.startsWith('app/')) {
    return `${file}: components must not import pages (${target})`
  }
  const other = floorOf(target)
  if (other === undefined) return undefined
  if (floor === 'surface' && other === 'command') {
    return `${file}: pages must not import commands (${target})`
  }
  if (floor === 'edge' && other === 'edge' && edgeOf(file) !== edgeOf(target)) {
    return `${file}: the edges must not import each other (${target})`
  }
  return FLOORS.indexOf(other) <= FLOORS.indexOf(floor)
    ? undefined
    : `${file}: ${floor} must not import ${other} (${target})`
}

const edgeOf = (file: string) => file.split('/')[2]

/**
 * Returns the path of the imported file in the repository, or undefined for a package. The path has an
 * extension only if the import has one.
 */
export function targetOf(file: string, name: string): string | undefined {
  if (name.startsWith('@/')) return name.slice(2)
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : undefined
}
