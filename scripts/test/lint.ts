import { cycles, type Source } from './cycles'
import { wrongImports } from './imports'
import { wrongLayout, wrongModules } from './layout'
import { filesLike, read } from './sources'
import { add, type Tally } from './tally'
import { runTool } from './tool'
import { wrongVisibility } from './visibility'
import { wrongWording } from './wording'

/**
 * Runs Biome, knip (unused code), and our own rules: the direction of imports, the size and names of modules,
 * where visibility is decided, words to avoid, and cycles between folders.
 */
export async function lint(): Promise<Tally> {
  const biome = await runTool('biome', ['check', '--error-on-warnings'])
  const knip = await runTool('knip', ['--no-progress'])
  return [
    verdict('biome', biome === 0),
    verdict('knip', knip === 0),
    verdict('imports', obeys(wrongImports)),
    verdict('layout', obeys(wrongLayout)),
    verdict('modules', isClean(wrongModules(sourcesLike(/\.tsx?$/)))),
    verdict('visibility', obeys(wrongVisibility)),
    verdict('wording', isClean(proseLike().flatMap(({ file, source }) => wrongWording(file, source)))),
    verdict('cycles', isClean(cycles(sourcesLike(/^lib\/.*(?<!\.test|\.d)\.(ts|tsx|mjs)$/)))),
  ].reduce(add)
}

/** Checks the types of all code, including tests and scripts. */
export async function types(): Promise<Tally> {
  return verdict('tsc', (await runTool('tsc', ['--noEmit'])) === 0)
}

/** Prints the result of a check, and returns a tally that counts the check as one test. */
export function verdict(name: string, passed: boolean): Tally {
  console.log(`  ${passed ? '✓' : '✗'} ${name}`)
  return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** Returns whether every source file obeys a rule. Prints the violations. */
const obeys = (rule: (file: string, source: string) => string[]): boolean =>
  isClean(sourcesLike(/\.(ts|tsx|mjs)$/).flatMap(({ file, source }) => rule(file, source)))

/** Returns the files that contain prose: code and documents. */
const proseLike = (): Source[] => sourcesLike(/\.(?:ts|tsx|mjs|md|prisma|graphql|json|ya?ml|css)$/)

const sourcesLike = (pattern: RegExp): Source[] =>
  filesLike(pattern).map((file) => ({ file, source: read(file) }))

function isClean(problems: string[]): boolean {
  for (const problem of problems) console.log(problem)
  return problems.length === 0
}
