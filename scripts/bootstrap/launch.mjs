import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { loadEnvFile } from '../../lib/base/config/env-file.mjs'
import { takeLock } from '../../lib/base/db/embedded/file-lock.mjs'
import { whenChanged } from './fingerprint.mjs'
import { install } from './install.mjs'
import { preflight } from './preflight.mjs'
import { step } from './progress.mjs'
import { Refusal, refuse } from './refusal.mjs'
import { run, stopOnSignals } from './run.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** The mode that each first argument selects. */
const MODES = /** @type {const} */ ({
  '': 'serve',
  '--dev': 'dev',
  '--next': 'next',
  '--build': 'build',
  '--generate': 'generate',
  '--commands': 'commands',
  '--release': 'release',
})

const FLAGS = ['--tools', '--source-maps']

/**
 * Loads the settings, installs the packages, compiles the launcher (scripts/launch/), and runs it. If the
 * mode starts a server, checks the settings before the installation. Only one process at a time installs,
 * generates, and builds in a folder. On an error, exits with a message and code 1.
 * @param {string[]} args the mode and options. `--tools` includes the development dependencies.
 *   `--source-maps` builds the pages with source maps
 */
export async function launch(args) {
  try {
    const [asked = '', ...others] = args.filter((each) => !FLAGS.includes(each))
    const mode = MODES[/** @type {keyof typeof MODES} */ (asked)]
    if (!mode || others.length > 0) {
      const known = Object.keys(MODES).slice(1).join(', ')
      throw new Refusal(`"${args.join(' ')}" is not valid. Use one of ${known}, with ${FLAGS.join(', ')}.`)
    }
    if (args.includes('--source-maps')) process.env.BUILD_SOURCE_MAPS = '1'
    process.chdir(root)
    const leaveSignals = stopOnSignals()
    // Commands load the settings themselves.
    if (mode !== 'commands') loadEnvFile(root)
    if (mode === 'serve' || mode === 'dev' || mode === 'next') await preflight()
    const release = await takeLock(path.join(root, 'dist', 'build.lock'), {
      onWait: (holder) =>
        console.log(`  ... Waiting for another build in this folder (process ${holder?.pid})`),
    })
    await install(root, { tools: args.includes('--tools') })
    await compileLauncher()
    const { main } = await import(pathToFileURL(path.join(root, 'dist', 'launch.js')).href)
    await main({ mode, root, release, leaveSignals, run, step, whenChanged })
  } catch (error) {
    refuse(error)
  }
}

/** Compiles scripts/launch/ and the parts of lib/ that it uses to dist/launch.js if any source changed. */
const compileLauncher = () =>
  whenChanged(
    root,
    'launcher',
    {
      sources: ['scripts', 'lib', 'package-lock.json'],
      results: ['dist/launch.js'],
    },
    async () => {
      const esbuild = await import('esbuild')
      await esbuild.build(launcherBundle)
      await esbuild.stop()
    },
  )

/**
 * @type {import('esbuild').BuildOptions} Build options of the launcher, which must not import generated
 * files.
 */
export const launcherBundle = {
  absWorkingDir: root,
  entryPoints: { launch: 'scripts/launch/main.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  packages: 'external',
  sourcemap: true,
  logLevel: 'error',
}
