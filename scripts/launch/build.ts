import fs from 'node:fs'
import path from 'node:path'
import esbuild from 'esbuild'
import { fontAddress } from '../../lib/base/http/page-font'
import { findCommit } from './commit'
import type { Context } from './context'

const SERVER = [
  ...['app', 'components', 'lib', 'prisma', 'server.ts', 'scripts/latchkey.ts', 'package.json'],
  ...['tsconfig.json', 'package-lock.json'],
]
const PAGES = [
  ...['app', 'components', 'lib', 'prisma', 'proxy.ts', 'package.json', 'package-lock.json'],
  ...['instrumentation.ts', 'instrumentation-client.ts'],
  ...['next.config.mjs', 'postcss.config.mjs', 'tailwind.config.ts', 'tsconfig.json'],
]

/**
 * Compiles the server's programs to dist/ with esbuild, unless the compiled programs are up to date with
 * their sources and the current commit.
 */
export async function buildServer({ root, step, whenChanged }: Context): Promise<void> {
  const results = ['server', 'start-server', 'latchkey', 'seed', 'create-admin'].map(
    (name) => `dist/${name}.js`,
  )
  const commit = findCommit(root)
  await whenChanged(root, 'server', { sources: SERVER, results, extra: commit }, () =>
    step('Building the server', () => bundleServer(root, commit)),
  )
}

/** The Latin subset of the font that all pages share. */
const FONT = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

/**
 * Adds the font and the page scripts to public/, unless they are up to date. Auth pages and docs use page
 * scripts, because they load no scripts from Next.js. The console uses some of the page scripts, too. For
 * example, `components/page-scripts/passkey.ts` becomes /passkey.js. Git ignores the added files.
 */
export async function buildPublicFiles({ root, step, whenChanged }: Context): Promise<void> {
  const scripts = ['copy', 'missing', 'passkey', 'password', 'picker', 'reach', 'scroll', 'strength']
  const what = {
    sources: ['components/page-scripts', 'package-lock.json'],
    results: [...scripts.map((name) => `public/${name}.js`), `public${fontAddress}`],
  }
  const build = async () => {
    await bundlePageScripts(root, scripts)
    fs.copyFileSync(path.join(root, FONT), path.join(root, 'public', fontAddress))
  }
  await whenChanged(root, 'page-scripts', what, () =>
    step('Building the page scripts', build, { quietBelow: 500 }),
  )
}

/** Compiles the pages with Next.js, unless the compiled pages are up to date. */
export async function buildPages({ root, run, step, whenChanged }: Context): Promise<void> {
  // Build again if one of these variables changes. Next.js compiles NEXT_PUBLIC_* settings into its output.
  // The option `--source-maps` sets BUILD_SOURCE_MAPS, which adds source maps.
  const baked = Object.entries(process.env).filter(([name]) => /^NEXT_PUBLIC_|^BUILD_SOURCE_MAPS$/.test(name))
  const what = { sources: PAGES, results: ['.next/BUILD_ID'], extra: JSON.stringify(baked.sort()) }
  await whenChanged(root, 'pages', what, () =>
    step('Building the pages', async () => {
      await run('next build', path.join(root, 'node_modules/next/dist/bin/next'), ['build'], {
        cwd: root,
        env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', CI: '1' },
      })
    }),
  )
}

/**
 * Bundles the server's entry points with shared chunks, so that a process that loads two entry points loads
 * each module only once. Deletes earlier chunks, and makes dist/latchkey.js executable.
 */
async function bundleServer(root: string, commit: string): Promise<void> {
  fs.rmSync(path.join(root, 'dist/chunks'), { recursive: true, force: true })
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: {
      server: 'server.ts',
      'start-server': 'app/start-server.ts',
      latchkey: 'scripts/latchkey.ts',
      seed: 'prisma/seed.ts',
      'create-admin': 'lib/features/instance-admin/create-admin.ts',
    },
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    // lib/base/process/release.ts reads this constant.
    define: { BUILD_COMMIT: JSON.stringify(commit) },
    sourcemap: true,
    logLevel: 'error',
  })
  fs.chmodSync(path.join(root, 'dist/latchkey.js'), 0o755)
  await stopEsbuild()
}

async function bundlePageScripts(root: string, scripts: string[]): Promise<void> {
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: scripts.map((name) => `components/page-scripts/${name}.ts`),
    outdir: 'public',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
  })
  await stopEsbuild()
}

/** Stops esbuild's helper process, which would otherwise run as long as the server. */
const stopEsbuild = () => esbuild.stop()
