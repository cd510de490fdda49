import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadEnvFile } from './env-file.mjs'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'env-file-'))
afterAll(() => {
  vi.restoreAllMocks()
  fs.rmSync(folder, { recursive: true })
})

describe('loadEnvFile', () => {
  const warnings = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  beforeEach(() => {
    warnings.mockClear()
    fs.writeFileSync(path.join(folder, '.env'), 'FROM_FILE=default\nGIVEN=file\n')
  })
  afterEach(() => vi.unstubAllEnvs())

  const load = (file?: string) => {
    vi.stubEnv('ENV_FILE', file)
    vi.stubEnv('FROM_FILE', undefined)
    vi.stubEnv('GIVEN', 'environment')
    loadEnvFile(folder)
    return process.env.FROM_FILE
  }

  it('reads .env by default, and keeps variables that are set', () => {
    expect(load()).toBe('default')
    expect(process.env.GIVEN).toBe('environment')
  })

  it('reads no file if ENV_FILE is empty, and does not warn', () => {
    expect(load('')).toBeUndefined()
    expect(warnings).not.toHaveBeenCalled()
  })

  it('warns if the file in ENV_FILE does not exist', () => {
    expect(load('latchky.env')).toBeUndefined()
    expect(warnings).toHaveBeenCalledExactlyOnceWith(
      'ENV_FILE is latchky.env, but this file does not exist.\n',
    )
  })

  it('throws an error that names the file if the file is not readable', () => {
    vi.spyOn(process, 'loadEnvFile').mockImplementationOnce(() => {
      throw new Error('EACCES: permission denied')
    })
    expect(() => load()).toThrow(`${path.join(folder, '.env')} is not readable: EACCES: permission denied`)
  })
})
