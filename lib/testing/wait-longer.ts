import { vi } from 'vitest'

const { waitFor, waitUntil } = vi

/**
 * The default timeout of `vi.waitFor` and `vi.waitUntil`, in milliseconds. It is the same as the timeout of
 * `expect.poll` in vitest.config.ts. Vitest's own default of a second is too short on a busy machine.
 */
const timeout = 15_000

vi.waitFor = (look, options = {}) =>
  waitFor(look, typeof options === 'number' ? options : { timeout, ...options })
vi.waitUntil = (look, options = {}) =>
  waitUntil(look, typeof options === 'number' ? options : { timeout, ...options })
