import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'

/** The options with which Playwright starts the browser. */
export type Browser = { executablePath: string; env: NodeJS.ProcessEnv }

/**
 * Finds a Chromium browser. On Linux, tries Chromium from npm first (@sparticuz/chromium), which is unpacked
 * once per machine and needs no download or system package. On other systems, or if this Chromium does not
 * run, installs the browser that Playwright uses by default, and returns undefined.
 */
export async function findChromium(): Promise<Browser | undefined> {
  if (process.platform !== 'linux') return installPlaywrightsOwn()
  const dir = await unpack()
  const executablePath = path.join(dir, 'chromium')
  const candidates = [
    { executablePath, env: process.env },
    // A minimal system lacks a few libraries that Chromium links to, so try the copies that the package
    // contains.
    { executablePath, env: { ...process.env, LD_LIBRARY_PATH: path.join(dir, 'lib') } },
  ]
  return candidates.find(runs) ?? installPlaywrightsOwn()
}

const runs = ({ executablePath, env }: Browser) =>
  spawnSync(executablePath, ['--version'], { env }).status === 0

function installPlaywrightsOwn(): undefined {
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli')
  execFileSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit' })
}

/**
 * Unpacks Chromium to a temporary folder, and then renames the folder. The folder with the final name is
 * therefore always complete, even if a run is aborted.
 * @returns the folder's path; if the folder exists already, nothing is unpacked
 */
async function unpack(): Promise<string> {
  const root = path.resolve(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '../../..')
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const dir = path.join(os.tmpdir(), `latchkey-chromium-${version}-${process.getuid?.()}`)
  if (fs.existsSync(dir)) return dir
  const half = fs.mkdtempSync(`${dir}.`)
  await decompress(path.join(root, 'bin/chromium.br'), path.join(half, 'chromium'))
  for (const name of ['al2023.tar', 'fonts.tar']) {
    await decompress(path.join(root, `bin/${name}.br`), path.join(half, name))
    spawnSync('tar', ['-xf', name], { cwd: half })
    fs.rmSync(path.join(half, name))
  }
  try {
    fs.renameSync(half, dir)
  } catch (error) {
    if (!fs.existsSync(dir)) throw error
    fs.rmSync(half, { recursive: true }) // another run was faster
  }
  return dir
}

const decompress = (from: string, to: string) =>
  pipeline(fs.createReadStream(from), createBrotliDecompress(), fs.createWriteStream(to, { mode: 0o755 }))
