import fs from 'node:fs'
import path from 'node:path'
import type { Context } from '../launch/context'
import { billOfMaterials } from './bill-of-materials'
import { notices } from './notices'
import { isServed, packagesOf, tracedFiles } from './traced-files'

/** The folder of the packed product. */
const PACKED = 'dist/standalone'

/**
 * The programs in dist/ that run in production without the launcher. With SEED_DEMO, they also load
 * dist/seed.js.
 */
const PROGRAMS = ['dist/server.js', 'dist/latchkey.js']

/** The image's health check. */
const PROBE = 'scripts/pack/probe.mjs'

/**
 * Files that are needed although nothing imports them: files that are read by path at run time, and the
 * license.
 */
const BESIDE = [
  ...['next.config.mjs', 'prisma/migrations', 'public', 'LICENSE'],
  // Next.js checks at each start that these files exist, but does not load them.
  ...['webpack', '@babel/runtime/package.json'].map((each) => `node_modules/next/dist/compiled/${each}`),
]

/**
 * Replaces dist/standalone, unless it is up to date, with a folder that needs only Node to run. The folder
 * contains the files that `node dist/server.js` and `node dist/latchkey.js` need, the health check, a list of
 * the packages in the folder (CycloneDX), and their license texts. See ADR 0004.
 * @throws Error if a package includes no license text, and notices.ts has no text for its license
 */
export async function pack({ root, step, whenChanged }: Context): Promise<void> {
  const what = {
    sources: [
      ...PROGRAMS,
      'dist/seed.js',
      'dist/chunks',
      '.next/BUILD_ID',
      ...BESIDE,
      'scripts/pack',
      'package-lock.json',
    ],
    results: ['dist/server.js', 'sbom.cdx.json', 'THIRD-PARTY-NOTICES.txt'].map(
      (each) => `${PACKED}/${each}`,
    ),
  }
  await whenChanged(root, 'pack', what, () => step(`Packing ${PACKED}`, () => makeFolder(root)))
}

async function makeFolder(root: string): Promise<void> {
  const to = path.join(root, PACKED)
  fs.rmSync(to, { recursive: true, force: true })
  const traced = await tracedFiles(root, PROGRAMS)
  for (const file of traced) if (!BESIDE.some((each) => file.startsWith(`${each}/`))) copy(root, to, file)
  copy(root, to, '.next', (file) => isServed(path.relative(path.join(root, '.next'), file)))
  for (const each of BESIDE) copy(root, to, each)
  fs.copyFileSync(path.join(root, PROBE), path.join(to, 'dist/probe.js'))
  fs.writeFileSync(path.join(to, 'package.json'), `${JSON.stringify(description(root), null, 2)}\n`)

  const bill = await billOfMaterials(root, packagesOf(traced))
  fs.writeFileSync(path.join(to, 'sbom.cdx.json'), `${JSON.stringify(bill.document, null, 2)}\n`)
  fs.writeFileSync(path.join(to, 'THIRD-PARTY-NOTICES.txt'), notices(root, bill.folders, traced))
}

const copy = (root: string, to: string, file: string, filter: (file: string) => boolean = () => true) =>
  // Copy symbolic links unchanged, because Next.js links to packages with relative paths, which are also
  // valid in the copy.
  fs.cpSync(path.join(root, file), path.join(to, file), { recursive: true, verbatimSymlinks: true, filter })

/** Returns the content of the packed product's package.json, which lists no dependencies to install. */
function description(root: string) {
  const { name, version, description, license, type, engines } = JSON.parse(
    fs.readFileSync(path.join(root, 'package.json'), 'utf8'),
  )
  return { name, version, private: true, description, license, type, engines }
}
