import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './tool'

const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const readme = read('README.md')

/** Returns the cells of the first table below a heading or line, by row, without the header. */
const rowsBelow = (page: string, line: string): string[][] =>
  (page.split(`${line}\n`)[1] ?? '')
    .split('\n\n')
    .find((block) => block.startsWith('| '))
    ?.split('\n')
    .slice(2)
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim())) ?? []

describe('README.md', () => {
  it('has at most 130 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(130)
  })

  it('shows the program that e2e/clients/examples.spec.ts runs', () => {
    const [, program] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
    expect(program).toBe(read('examples/sign-in/main.mjs'))
  })

  it('links a source in each cell of the comparison', () => {
    const rows = rowsBelow(readme, '## How it compares')
    expect(rows.length).toBeGreaterThan(10)
    const measured = rows.pop() ?? []
    expect(measured[0]).toBe('Server CPU per refresh')
    for (const [name, latchkey, ...others] of rows) {
      expect(latchkey, name).toMatch(/\]\(/)
      expect(others, name).toHaveLength(5)
      for (const cell of others) expect(cell, name).toMatch(/\]\(https:\/\//)
    }
  })

  it('states the CPU time per refresh that the benchmarks measured', () => {
    const pages = execFileSync('git', ['ls-files', 'docs'], { cwd: root, encoding: 'utf8' }).split('\n')
    const results = pages
      .filter((page) => page.endsWith('.md'))
      .find((page) => read(page).includes('\n### refresh-web\n'))
    const rows = rowsBelow(read(String(results)), '### refresh-web')
    const cpuOf = (target: string) => {
      const row = rows.find(([name]) => name === target)
      return `${(Number(row?.[5]?.replace(',', '')) / 1000).toFixed(2)} ms`
    }
    const [, latchkey, prismaAdapter, , , , betterAuth] = rowsBelow(readme, '## How it compares').pop() ?? []
    expect([latchkey, prismaAdapter, betterAuth]).toEqual(['latchkey', 'p2', 'p3'].map(cpuOf))
    expect(readme).toContain(`(${cpuOf('p1')} if it keeps all data in memory)`)
  })
})
