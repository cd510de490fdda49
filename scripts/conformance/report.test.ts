import { describe, expect, it } from 'vitest'
import { printResults, replaceResults } from './report'

const results = [
  {
    name: 'basic',
    title: 'Basic OP',
    suite: '5.2.4 (12f2a4d)',
    commit: 'abc1234',
    planned: 5,
    modules: [
      { module: 'oidcc-server', result: 'PASSED' as const, conditions: [] },
      { module: 'oidcc-prompt-login', result: 'REVIEW' as const, conditions: [] },
      { module: 'oidcc-broken', result: 'FAILED' as const, conditions: ['Check: a | b\n<c>', 'Later: d'] },
    ],
  },
]

describe('the conformance report', () => {
  it('counts the modules of a plan and lists those that did not pass', () => {
    const printed = printResults(results)
    expect(printed).toContain('| Basic OP | 5 | 1 | 0 | 1 | 0 | 1 | 2 | 5.2.4 (12f2a4d) | `abc1234` |')
    expect(printed).toContain('| Basic OP | `oidcc-prompt-login` | review |  |')
    expect(printed).toContain('| Basic OP | `oidcc-broken` | failed | Check: a / b (c) |')
    expect(printed).not.toContain('`oidcc-server`')
  })

  it('replaces the results of the page and nothing else', () => {
    const page = 'Before\n<!-- results: begin -->\nold\n<!-- results: end -->\nAfter\n'
    expect(replaceResults(page, 'new')).toBe(
      'Before\n<!-- results: begin -->\n\nnew\n\n<!-- results: end -->\nAfter\n',
    )
  })

  it('rejects a page without a place for results', () => {
    expect(() => replaceResults('no markers', 'new')).toThrow('needs the lines')
  })
})
