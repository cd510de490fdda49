import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** A package as npm noted it when it installed it. */
type Installed = { name?: string; version: string; dev?: true; devOptional?: true; optional?: true }

type Component = { 'bom-ref': string; name: string; version: string; type: string }

/** What of CycloneDX is touched here. */
type Bom = {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * The packages that a packed product is made of, as CycloneDX: those with a file in it, and those that production needs,
 * since Next writes their code into files of its own. npm knows names, versions, licences and hashes. That it is asked for
 * everything is on purpose: with `--omit=dev` it leaves out whatever a development dependency needs as well. See decision 127.
 * @param traced the folders of the packages with a file in it
 * @returns the document, and the folders of its packages
 */
export async function billOfMaterials(
  root: string,
  traced: ReadonlySet<string>,
): Promise<{ document: Bom; folders: string[] }> {
  const all = await askNpm(root)
  const folders = inProduct(installed(root), traced)
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

/** @returns the packages in the product: name and version, by folder */
export function inProduct(
  packages: Record<string, Installed>,
  traced: ReadonlySet<string>,
): Map<string, string> {
  const isIn = (folder: string, { dev, devOptional, optional }: Installed) =>
    traced.has(folder) || !(dev || devOptional || optional)
  return new Map(
    Object.entries(packages)
      .filter(([folder, each]) => folder !== '' && isIn(folder, each))
      .map(([folder, { name, version }]) => [
        folder,
        `${name ?? folder.split('node_modules/').at(-1)}@${version}`,
      ]),
  )
}

const installed = (root: string): Record<string, Installed> =>
  JSON.parse(fs.readFileSync(path.join(root, 'node_modules/.package-lock.json'), 'utf8')).packages

async function askNpm(root: string): Promise<Bom> {
  const self = process.env.npm_execpath
  const [program, ...first] = self?.endsWith('.js') ? [process.execPath, self] : ['npm']
  const args = [...first, 'sbom', '--sbom-format=cyclonedx', '--sbom-type=application']
  const { stdout } = await promisify(execFile)(program as string, args, {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32' && first.length === 0,
  })
  return JSON.parse(stdout)
}
