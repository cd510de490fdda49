import path from 'node:path'
import { neighboursOf, type Source } from './neighbours'

/** What a folder's README.md says of it, in three lines. */
type Opening = { imports: string[]; start: string }

const opening =
  /^# .+\n\n- (?<about>[^\n]+)\n- May import: (?<imports>[^\n]+)\.\n- Start at \[[^\]]+\]\((?<start>[^)]+)\)\.\n/

/** Reads a README.md. @returns undefined where it is not written as CONTRIBUTING.md asks */
function readOpening(text: string): Opening | undefined {
  const { about, imports, start } = opening.exec(text)?.groups ?? {}
  if (!about || !imports || !start) return undefined
  const names = [...imports.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string)
  return { imports: names, start }
}

/**
 * Holds the openings of lib's folders to what the code does: every folder has one, its list of neighbours is exactly what it
 * imports, and the file it starts with exists.
 * @param sources every file of lib, tests left out
 * @param readmes text by path of each README.md below lib
 * @returns one line for each opening that is missing or not true
 */
export function wrongOpenings(sources: readonly Source[], readmes: ReadonlyMap<string, string>): string[] {
  const arrows = neighboursOf(sources)
  const files = new Set(sources.map(({ file }) => file))
  return [...arrows].flatMap(([folder, used]) => {
    const file = `${folder}/README.md`
    const said = readOpening(readmes.get(file) ?? '')
    if (!said)
      return [
        `${file}: takes a title and three lines: what the folder is for, "May import: ...", "Start at [file](file)"`,
      ]
    const start = path.posix.join(folder, said.start)
    return [
      ...(files.has(start) ? [] : [`${file}: starts at ${start}, which is no file`]),
      ...[...used]
        .filter((name) => !said.imports.includes(name))
        .map((name) => `${file}: imports ${name} too`),
      ...said.imports
        .filter((name) => !used.has(name))
        .map((name) => `${file}: imports nothing of ${name} any more`),
    ]
  })
}
