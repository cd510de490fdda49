import { vi } from 'vitest'

const { waitFor, waitUntil } = vi

/** As `expect.poll` of vitest.config.ts waits: a second, which these wait otherwise, passes on a busy machine in no time. */
const timeout = 15_000

vi.waitFor = (look, options = {}) =>
  waitFor(look, typeof options === 'number' ? options : { timeout, ...options })
vi.waitUntil = (look, options = {}) =>
  waitUntil(look, typeof options === 'number' ? options : { timeout, ...options })
