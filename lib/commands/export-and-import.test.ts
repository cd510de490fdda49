import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeWhole } from './export-and-import'

let dir = ''
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-'))
})
afterEach(() => fs.rmSync(dir, { recursive: true }))

const seen = () => fs.readdirSync(dir)

it('writeWhole creates the file under its name only when it is complete, and makes it readable only by its owner', async () => {
  const file = path.join(dir, 'all.ndjson')
  const result = await writeWhole(file, async (out) => {
    out.write('one\n')
    expect(seen()).not.toContain('all.ndjson')
    out.write('two\n')
    return 2
  })
  expect(result).toBe(2)
  expect(seen()).toEqual(['all.ndjson'])
  expect(fs.readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
})

it('writeWhole leaves no file behind if writing fails', async () => {
  const failing = writeWhole(path.join(dir, 'half.ndjson'), async (out) => {
    out.write('one\n')
    throw new Error('The database went away.')
  })
  await expect(failing).rejects.toThrow('The database went away.')
  expect(seen()).toEqual([])
})

it('writeWhole does not overwrite an existing file or a file that is created during the write', async () => {
  const file = path.join(dir, 'there.ndjson')
  fs.writeFileSync(file, 'mine')
  await expect(writeWhole(file, async () => undefined)).rejects.toMatchObject({ code: 'EEXIST' })
  fs.rmSync(file)
  await expect(writeWhole(file, async () => fs.writeFileSync(file, 'mine'))).rejects.toMatchObject({
    code: 'EEXIST',
    path: file,
  })
  expect([seen(), fs.readFileSync(file, 'utf8')]).toEqual([['there.ndjson'], 'mine'])
})

it('writeWhole fails with an error that names the directory if it does not exist', async () => {
  const file = path.join(dir, 'none', 'x.ndjson')
  await expect(
    writeWhole(file, async (out) => {
      await new Promise((_, fail) => out.once('error', fail))
    }),
  ).rejects.toMatchObject({ code: 'ENOENT', path: path.dirname(file) })
})
