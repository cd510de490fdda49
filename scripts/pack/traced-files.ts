import fs from 'node:fs'
import path from 'node:path'

/**
 * Build and development files of Next.js and React, and the type declarations and source maps of all
 * packages. Production never loads these files, but the tracer cannot detect this.
 */
const NEVER_SERVED = [
  '**/next/dist/{bin,docs}/**',
  '**/next/dist/compiled/babel*/**',
  '**/next/dist/compiled/next-server/**/*.dev.js',
  '**/next/dist/server/dev/**',
  // Keep the development files of the package react, because Node reads the names of a module's exports from
  // them.
  '**/react-dom/**/*.development.js',
  '**/*.d.ts',
  '**/*.map',
]

/**
 * Returns the files in packages and in dist/ that the programs and the pages need at run time: their direct
 * and indirect imports, native code, WebAssembly, and files whose path the tracer can compute. For pages,
 * Next.js records these files during the build.
 * @param root the built clone
 * @param programs paths relative to the clone
 * @returns paths relative to the clone, with forward slashes
 */
export async function tracedFiles(root: string, programs: string[]): Promise<Set<string>> {
  // Import the tracer only when packing, because `npm start` does not need it.
  const { nodeFileTrace } = await import('@vercel/nft')
  const { fileList } = await nodeFileTrace(
    programs.map((each) => path.join(root, each)),
    { base: root, processCwd: root, ignore: NEVER_SERVED },
  )
  // Keep only files that `isTaken` accepts, because pack.ts copies the other folders that are needed. If a
  // program reads a folder by path, its trace contains everything in that folder, including previously packed
  // files.
  return new Set([...[...fileList].map(slashes), ...tracedByNext(root)].filter(isTaken))
}

/**
 * Returns whether a traced file belongs to a package or is a compiled program. Files of earlier packed
 * products, stamps, and the build lock do not count.
 * @param file path in the clone
 */
export const isTaken = (file: string): boolean =>
  /^(node_modules|dist\/(?!standalone\/|stamps\/|build\.lock))/.test(file)

/**
 * Returns the package files in the traces that `next build` wrote for the pages and the Next.js server. Omits
 * all other files, including those in dist/. Pages load nothing from dist/, but a trace can list files of
 * earlier builds there.
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
 * Returns whether a file of .next is read at run time. Build leftovers, traces, and source maps are not.
 * @param file path in .next; empty for the folder itself
 */
export function isServed(file: string): boolean {
  const [top = '', ...rest] = slashes(file).split('/')
  if (/\.(map|nft\.json)$/.test(file) || /^trace/.test(top)) return false
  return top === '' || rest.length === 0 ? !LEFT_OVER.includes(top) : SERVED.includes(top)
}

const SERVED = ['server', 'static', 'node_modules']
const LEFT_OVER = ['cache', 'dev', 'types', 'diagnostics', 'build', 'turbopack']

/** Returns the folders of the packages that contain the files, such as `node_modules/@scope/name`. */
export const packagesOf = (files: Iterable<string>): Set<string> =>
  new Set([...files].flatMap((file) => packageOf(file) ?? []))

/** Returns the folder of a file's package, or undefined for our own files. */
export const packageOf = (file: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]

const slashes = (file: string) => file.split(path.sep).join('/')
