import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** A package in npm's record of installed packages. */
type Installed = {
  name?: string
  version: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/**
 * Dependencies that are needed only to build the product or to run its examples. These packages are not
 * development dependencies, because `npm start` and the examples need them. The packed product does not
 * contain them.
 */
export const outsideProduct: readonly string[] = [
  ...['@tailwindcss/postcss', '@types/node', '@types/react', '@vercel/nft'],
  ...['esbuild', 'prisma', 'tailwindcss', 'typescript'],
  ...['@hono/node-server', '@modelcontextprotocol/client', 'hono'],
]

type Component = { 'bom-ref': string; name: string; version: string; type: string }

/** The part of CycloneDX that this module changes. */
type Bom = {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * Returns the packages of a packed product as CycloneDX: the packages with a file in the packed product, and
 * the product's direct and indirect dependencies. Next.js bundles code from dependencies into its own files,
 * so the packed product can contain a dependency's code without its files. npm supplies names, versions,
 * licenses, and hashes. See ADR 0004.
 *
 * @param traced the folders of the packages with a file in the packed product
 * @returns the document, and the folders of its packages
 */
export async function billOfMaterials(
  root: string,
  traced: ReadonlySet<string>,
): Promise<{ document: Bom; folders: string[] }> {
  const packages = installed(root)
  const all = await askNpm(root)
  const folders = inProduct(packages, dependenciesOf(root), traced)
  const kept = new Set([...folders.values()])
  const product = { ...all.metadata.component, name: 'latchkey' }
  const components = all.components.filter((each) => kept.has(each['bom-ref']))
  const known = new Set([product['bom-ref'], ...kept])
  const dependencies = all.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }))
  return {
    document: { ...all, metadata: { ...all.metadata, component: product }, components, dependencies },
    folders: [...folders.keys()],
  }
}

/**
 * Returns the packages in the product by folder, each as `name@version`: the traced packages, the
 * dependencies, and the packages that the dependencies require.
 * @param dependencies the product's direct dependencies; those in `outsideProduct` are ignored
 * @param traced the folders of the packages with a file in the packed product
 */
export function inProduct(
  packages: Record<string, Installed>,
  dependencies: readonly string[],
  traced: ReadonlySet<string>,
): Map<string, string> {
  const found = dependencies
    .filter((name) => !outsideProduct.includes(name))
    .map((name) => `node_modules/${name}`)
  const needed = new Set(found)
  for (const folder of needed)
    for (const name of requiredBy(packages[folder])) {
      const resolved = resolve(packages, folder, name)
      if (resolved) needed.add(resolved)
    }
  return new Map(
    Object.entries(packages)
      .filter(([folder]) => traced.has(folder) || needed.has(folder))
      .map(([folder, { name, version }]) => [
        folder,
        `${name ?? folder.split('node_modules/').at(-1)}@${version}`,
      ]),
  )
}

const requiredBy = ({ dependencies, peerDependencies, peerDependenciesMeta }: Partial<Installed> = {}) => [
  ...Object.keys(dependencies ?? {}),
  ...Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional),
]

/**
 * Resolves a package as Node does: in the folder's own node_modules first, then in those of parent folders.
 * @returns the package's folder, or undefined if the package is not installed
 */
function resolve(packages: Record<string, Installed>, from: string, name: string): string | undefined {
  const own = `${from}/node_modules/${name}`
  if (own in packages) return own
  const outer = from.lastIndexOf('/node_modules/')
  if (outer >= 0) return resolve(packages, from.slice(0, outer), name)
  return `node_modules/${name}` in packages ? `node_modules/${name}` : undefined
}

const dependenciesOf = (root: string): string[] =>
  Object.keys(JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).dependencies)

const installed = (root: string): Record<string, Installed> =>
  JSON.parse(fs.readFileSync(path.join(root, 'node_modules/.package-lock.json'), 'utf8')).packages

/**
 * Returns npm's bill of materials. npm creates it from the lockfile, because npm cannot create one from an
 * installation that lacks the development dependencies.
 */
async function askNpm(root: string): Promise<Bom> {
  const self = process.env.npm_execpath
  const [program, ...first] = self?.endsWith('.js') ? [process.execPath, self] : ['npm']
  const args = [...first, 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  const { stdout } = await promisify(execFile)(program as string, args, {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32' && first.length === 0,
  })
  return JSON.parse(stdout)
}
