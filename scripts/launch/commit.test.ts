import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { findCommit } from './commit'

const file = 'scripts/launch/archived-commit.txt'
const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', '-c', 'commit.gpgsign=false']

describe('the commit of a build', () => {
  let root: string
  let head: string
  const git = (...args: string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' }).trim()
  beforeAll(() => {
    root = makeTemporaryData()
    git('init', '--quiet')
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    for (const each of [file, '.gitattributes']) fs.copyFileSync(each, path.join(root, each))
    git('add', '.')
    git('commit', '--quiet', '--message', 'test: first')
    head = git('rev-parse', 'HEAD')
  })
  afterAll(() => removeTemporaryData(root))

  it('is the checkout’s commit, marked if there are uncommitted changes', () => {
    expect(findCommit(root, {})).toBe(head)
    fs.writeFileSync(path.join(root, 'new.ts'), '')
    expect(findCommit(root, {})).toBe(`${head}+changes`)
    fs.rmSync(path.join(root, 'new.ts'))
  })

  it('is the commit that Git recorded in an exported archive', () => {
    const unpacked = makeTemporaryData()
    const archive = path.join(unpacked, 'archive.tar')
    git('archive', '--output', archive, 'HEAD')
    execFileSync('tar', ['-xf', archive, '-C', unpacked])
    expect(findCommit(unpacked, {})).toBe(head)
    removeTemporaryData(unpacked)
  })

  it('is the value of LATCHKEY_COMMIT if that is a commit', () => {
    expect(findCommit(root, { LATCHKEY_COMMIT: '0123abc' })).toBe('0123abc')
    for (const LATCHKEY_COMMIT of ['unknown', '', 'main'])
      expect(findCommit(root, { LATCHKEY_COMMIT })).toBe(head)
  })

  it('is unknown in a folder without history, and in a folder inside another checkout', () => {
    const bare = makeTemporaryData()
    expect(findCommit(bare, {})).toBe('')
    removeTemporaryData(bare)
    expect(findCommit(path.join(root, 'scripts'), {})).toBe('')
  })
})
