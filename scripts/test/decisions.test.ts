import { describe, expect, it } from 'vitest'
import { filesLike, read } from './sources'

const pages = filesLike(/^docs\/decisions\/\d{3}-.*\.md$/)
const numberOf = (page: string) => page.slice('docs/decisions/'.length, 'docs/decisions/000'.length)
const numbers = new Set(pages.map(numberOf))

/** How decisions are kept is about no file, and one that was superseded has none any more. */
const aboutCode = pages.filter((page) => numberOf(page) !== '000' && !/^Superseded by/m.test(read(page)))

const everyFile = filesLike(/./)

/** The paths behind "**Files.**". */
const filesOf = (page: string): string[] => {
  const paragraph = read(page).split('**Files.**')[1]?.split('\n\n')[0] ?? ''
  return [...paragraph.matchAll(/`([^`]+\.(?:tsx?|mjs|prisma))`/g)].map(([, file]) => file as string)
}

describe('decisions', () => {
  it.each(aboutCode)('%s names its files, and the first of them names it', (page) => {
    const files = filesOf(page)
    expect(files.filter((file) => everyFile.includes(file))).toEqual(files)
    const sentences = read(files[0] as string).match(/\bdecisions?[ /][^.;]*/g) ?? []
    expect(sentences.join(' ')).toContain(numberOf(page))
  })

  it('have a number each', () => {
    expect(pages.length).toBe(numbers.size)
  })

  it('all stand in the list, once', () => {
    const listed = [...read('docs/decisions/README.md').matchAll(/^- \[(\d{3})\]\(([^)]+)\)/gm)]
    expect(listed.map(([, , file]) => `docs/decisions/${file}`).sort()).toEqual(pages)
  })

  it('that a comment names are there', () => {
    const cited = filesLike(/\.(tsx?|mjs)$/).flatMap((file) =>
      (read(file).match(/\bdecisions? \d{3}(?:(?:, | and )\d{3})*/g) ?? [])
        .flatMap((text) => text.match(/\d{3}/g) ?? [])
        .filter((number) => !numbers.has(number))
        .map((number) => `${file}: ${number}`),
    )
    expect(cited).toEqual([])
  })
})

describe('papers', () => {
  it('that code and documents name are in the repository', () => {
    const known = new Set(filesLike(/\.md$/).map((file) => file.split('/').at(-1)))
    const missing = filesLike(/\.(tsx?|mjs|prisma|sql|md)$/)
      .filter((file) => !/\/(broken-links|openings|contact-sheet|resources\.db)\.test\.ts$/.test(file))
      .flatMap((file) =>
        (read(file).match(/(?<![\w:/-]\/\/[^\s]*)[\w.-]+\.md\b/g) ?? [])
          .filter((paper) => !known.has(paper))
          .map((paper) => `${file}: ${paper}`),
      )
    expect(missing).toEqual([])
  })

  it('that only somebody else has are not named', () => {
    const elsewhere = filesLike(/\.(tsx?|mjs|prisma|sql|md)$/).filter(
      (file) =>
        !file.endsWith('decisions.test.ts') && /\bdesign section\b|\binterface document\b/i.test(read(file)),
    )
    expect(elsewhere).toEqual([])
  })
})
