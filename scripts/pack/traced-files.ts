import fs from 'node:fs'
import path from 'node:path'

/** What a tracer cannot know is never loaded in production: the parts of Next and React that build and develop. */
const NEVER_SERVED = [
  '**/next/dist/{bin,docs}/**',
  '**/next/dist/compiled/babel*/**',
  '**/next/dist/compiled/next-server/**/*.dev.js',
  '**/next/dist/server/dev/**',
  // Not those of react itself: Node reads in them which names its modules export.
  '**/react-dom/**/*.development.js',
  '**/*.d.ts',
  '**/*.map',
]

/**
 * Which files programs need at run time: what they import and what those import in turn, native code, WebAssembly and
 * files opened by a path that can be worked out included. For the pages Next has written it down while building.
 * @param root the clone, built
 * @param programs paths in it
 * @returns paths in it, with forward slashes
 */
export async function tracedFiles(root: string, programs: string[]): Promise<Set<string>> {
  // Loaded here alone: `npm start` packs nothing.
  const { nodeFileTrace } = await import('@vercel/nft')
  const { fileList } = await nodeFileTrace(
    programs.map((each) => path.join(root, each)),
    { base: root, processCwd: root, ignore: NEVER_SERVED },
  )
  // Everything else is copied whole (pack.ts). A folder looked into by its path is traced with all that lies there, such as
  // what was packed before.
  return new Set([...[...fileList].map(slashes), ...tracedByNext(root)].filter(isTaken))
}

/** Whether a traced file is one that no other rule covers, and no record of the build. @param file path in the clone */
export const isTaken = (file: string): boolean =>
  /^(node_modules|dist\/(?!standalone\/|stamps\/|build\.lock))/.test(file)

/**
 * Returns the packages in the traces that `next build` leaves next to each page and its own server. Pages load nothing of
 * dist/, but a trace can list what was there when the pages were built.
 */
function tracedByNext(root: string): string[] {
  const traces = fs
    .readdirSync(path.join(root, '.next'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.nft.json') && !/^(cache|dev)[\\/]/.test(name))
    .map((name) => path.join(root, '.next', name))
  return traces.flatMap((trace) => {
    const { files }: { files: string[] } = JSON.parse(fs.readFileSync(trace, 'utf8'))
    return files
      .map((file) => slashes(path.relative(root, path.resolve(path.dirname(trace), file))))
      .filter((file) => file.startsWith('node_modules/'))
  })
}

/**
 * Whether a file of .next is read at run time: everything but what is left over from building, and the source maps.
 * @param file path in .next; empty for the folder itself
 */
export function isServed(file: string): boolean {
  const [top = '', ...rest] = slashes(file).split('/')
  if (/\.(map|nft\.json)$/.test(file) || /^trace/.test(top)) return false
  return top === '' || rest.length === 0 ? !LEFT_OVER.includes(top) : SERVED.includes(top)
}

const SERVED = ['server', 'static', 'node_modules']
const LEFT_OVER = ['cache', 'dev', 'types', 'diagnostics', 'build', 'turbopack']

/** The folders of the packages that files belong to, such as `node_modules/@scope/name`. */
export const packagesOf = (files: Iterable<string>): Set<string> =>
  new Set([...files].flatMap((file) => packageOf(file) ?? []))

/** The folder of the package that a file belongs to; undefined for a file of ours. */
export const packageOf = (file: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]

const slashes = (file: string) => file.split(path.sep).join('/')
