import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { wrongImports } from './imports'
import { wrongLayout } from './layout'
import { add, type Tally } from './tally'
import { root, runTool } from './tool'
import { wrongVisibility } from './visibility'

/** Four checks: Biome, the direction of imports, the layout rules, and who decides who sees what. */
export async function lint(): Promise<Tally> {
  const biome = await runTool('biome', ['check', '--error-on-warnings'])
  return [
    verdict('biome', biome === 0),
    verdict('imports', obeys(wrongImports)),
    verdict('layout', obeys(wrongLayout)),
    verdict('visibility', obeys(wrongVisibility)),
  ].reduce(add)
}

/** Types of everything, tests and scripts included. */
export async function types(): Promise<Tally> {
  return verdict('tsc', (await runTool('tsc', ['--noEmit'])) === 0)
}

/** One check counts as one test. */
export function verdict(name: string, passed: boolean): Tally {
  console.log(`  ${passed ? '✓' : '✗'} ${name}`)
  return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** Holds every source file against a rule and prints what breaks it. */
function obeys(rule: (file: string, source: string) => string[]): boolean {
  const problems = sourceFiles().flatMap((file) => rule(file, fs.readFileSync(path.join(root, file), 'utf8')))
  for (const problem of problems) console.log(problem)
  return problems.length === 0
}

/** What git knows or would take in, so that neither generated files nor node_modules count. */
const sourceFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && fs.existsSync(path.join(root, file)))
