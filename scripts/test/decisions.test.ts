import { describe, expect, it } from 'vitest'
import { filesLike, read } from './sources'

const folder = 'docs/adr/'
const records = filesLike(/^docs\/adr\/(?!README\.md$).*/)
const numberOf = (record: string) => record.slice(folder.length, folder.length + '0000'.length)
const numbers = new Set(records.map(numberOf))
const titleOf = (record: string) => read(record).match(/^# \d{4}\. (.+)\n/)?.[1] ?? ''

/**
 * All files that can cite records. Migrations cannot change, because their checksums are stored. The
 * changelog describes earlier releases.
 */
const citing = filesLike(/\.(?:tsx?|mjs|md|prisma|json|ya?ml|service|css)$|Dockerfile$/).filter(
  (file) => !/^prisma\/migrations\/|^CHANGELOG\.md$|^package-lock\.json$|\/decisions\.test\.ts$/.test(file),
)

/** Returns the matches of a pattern in all files that can cite a record, as "file: match". */
const cited = (pattern: RegExp): string[] =>
  citing.flatMap((file) => (read(file).match(pattern) ?? []).map((text) => `${file}: ${text}`))

describe('architecture decision records', () => {
  it.each(records)('are named after their number and title (file: %s)', (record) => {
    const slug = titleOf(record)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
    expect(read(record).slice(0, '# 0000'.length)).toBe(`# ${numberOf(record)}`)
    expect(record).toBe(`${folder}${numberOf(record)}-${slug}.md`)
  })

  it.each(records)('have the four sections in order (file: %s)', (record) => {
    expect(read(record).match(/^## .+$/gm)).toEqual([
      '## Status',
      '## Context',
      '## Decision',
      '## Consequences',
    ])
  })

  it.each(records)('have at most 300 words (file: %s)', (record) => {
    expect(read(record).split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(300)
  })

  it('have unique numbers without gaps', () => {
    const expected = records.map((_, index) => String(index + 1).padStart(4, '0'))
    expect(records.map(numberOf)).toEqual(expected)
  })

  it('are listed in the index with their titles', () => {
    const rows = [...read(`${folder}README.md`).matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.+?) \| .+ \|$/gm)]
    expect(rows.map(([, number, file, title]) => [number, `${folder}${file}`, title])).toEqual(
      records.map((record) => [numberOf(record), record, titleOf(record)]),
    )
  })

  it('exist for every citation in code and documents', () => {
    // Includes citations that are split across comment lines.
    const citations = cited(/\bADR[\s*#/]+\d{4}\b/g)
    expect(citations.length).toBeGreaterThan(100)
    expect(citations.filter((citation) => !numbers.has(citation.slice(-4)))).toEqual([])
  })

  it('have the number that is shown in each link to them', () => {
    const links = citing.flatMap((file) => [...read(file).matchAll(/\[(?:ADR )?(\d{4})\]\([^)]*?(\d{4})-/g)])
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter(([, named, linked]) => named !== linked).map(([link]) => link)).toEqual([])
  })

  it('are not cited by numbers from an earlier series', () => {
    expect(cited(/\bdecisions?[ /]\d{3}\b|docs\/decisions/gi)).toEqual([])
  })
})

describe('code and documents', () => {
  it('mention only Markdown files that are in the repository', () => {
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

  it('do not cite design or interface documents that are not in the repository', () => {
    const elsewhere = filesLike(/\.(tsx?|mjs|prisma|sql|md)$/).filter(
      (file) =>
        !file.endsWith('decisions.test.ts') && /\bdesign section\b|\binterface document\b/i.test(read(file)),
    )
    expect(elsewhere).toEqual([])
  })
})
