import { describe, expect, it } from 'vitest'
import { citations, linkCitations, subjectOf, updateIndex } from './security-tests'

const page =
  '## ASVS 5.0, V7: sessions\n\n| 7.1 L2 | No guessing | met | T1, on a phone: [T2](tests.md#t2) |\n'
const row = (id: string, name: string, places: string) =>
  `| <a id="${id.toLowerCase()}"></a>${id} | [\`${name}\`](../a.test.ts) | ${places} |`

describe('the index of security tests', () => {
  it('links every cited ID once', () => {
    const linked = linkCitations(page)
    expect(linked).toContain('| [T1](tests.md#t1), on a phone: [T2](tests.md#t2) |')
    expect(linkCitations(linked)).toBe(linked)
  })

  it('lists the places that cite a test', () => {
    expect(citations(page).get('T2')).toEqual(['V7 7.1 L2'])
    expect(citations(page, 'Threats: ').get('T1')).toEqual(['Threats: V7'])
    const index = `${row('T1', 'rejects %s', 'old')}\n${row('T2', 'waits', '')}\n`
    expect(updateIndex(index, citations(page))).toBe(
      `${row('T1', 'rejects %s', 'V7 7.1 L2')}\n${row('T2', 'waits', 'V7 7.1 L2')}\n`,
    )
  })

  it('shows the subject of each test', () => {
    const index = `${row('T1', 'waits', '')}\n`
    const updated = updateIndex(index, new Map([['T1', ['V7']]]), () => 'a session ')
    expect(updated).toContain('T1 | a session [`waits`](../a.test.ts) | V7 |')
    expect(updateIndex(updated, new Map([['T1', ['V8']]]))).toContain('T1 | [`waits`](../a.test.ts) | V8 |')
    const source =
      "describe('a session', () => {\n  describe('of a viewer', () => {\n    it('waits', () => {\n"
    expect(subjectOf(source, 'waits')).toBe('a session › of a viewer')
    expect(subjectOf(source, 'of a viewer')).toBe('a session')
    expect(subjectOf("it('a session waits', () => {\n", 'a session waits')).toBe('')
  })

  it('rejects a citation without a test, a test without a citation, and a test that is listed twice', () => {
    const cites = new Map([['T1', ['V7 7.1']]])
    expect(() => updateIndex('', cites)).toThrow('The index has no test T1.')
    expect(() => updateIndex(row('T1', 'a', ''), new Map())).toThrow('No page cites T1.')
    const twice = `${row('T1', 'a', '')}\n${row('T2', 'a', '')}`
    expect(() => updateIndex(twice, new Map([...cites, ['T2', ['x']]]))).toThrow('a.test.ts) twice.')
  })
})
