import { beforeEach, expect, it, vi } from 'vitest'
import { defineCommand, runCommand, UsageError } from './command'

let printed = ''
let errors = ''
beforeEach(() => {
  printed = errors = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    errors += text
    return true
  })
})

let received: unknown
const greet = defineCommand({
  name: 'greet',
  summary: 'say hello',
  takes: { name: 'who to greet' },
  options: { loud: { about: 'with a bang' }, times: { about: 'how often', value: 'number', default: '1' } },
  needs: 'nothing',
  run: async ({ args, options, root }) => {
    received = { args, options, root }
    if (args.name === 'disk') throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', path: '/x' })
    if (args.name === 'copy')
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', path: '/x', dest: '/y' })
    if (args.name === 'absent') throw new Error('No one is there.')
    if (options.times === '0') throw new UsageError('--times takes a number from 1.')
    return args.name === 'ghost' ? 3 : undefined
  },
})
const run = (...words: string[]) => runCommand([greet], words, '/root')

it('runCommand passes the arguments to the command and returns its exit code', async () => {
  expect(await run('greet', 'ada', '--times', '2', '--loud')).toBe(0)
  expect(received).toEqual({ args: { name: 'ada' }, options: { loud: true, times: '2' }, root: '/root' })
  expect(await run('greet', 'ada')).toBe(0)
  expect(received).toMatchObject({ options: { loud: false, times: '1' } })
  expect(await run('greet', 'ghost')).toBe(3)
})

it.each([
  [['greet', 'disk'], 1, 'latchkey: No space left on the device for /x.\n'],
  [['greet', 'copy'], 1, 'latchkey: No space left on the device for /y.\n'],
  [['greet', 'absent'], 1, 'latchkey: No one is there.\n'],
  [['greet', 'ada', '--times', '0'], 2, 'latchkey: --times takes a number from 1.\n'],
  [['greet'], 2, 'latchkey: Missing argument <name>: latchkey greet <name> [--loud] [--times <number>].\n'],
  [['greet', 'ada', 'grace'], 2, /^latchkey: Unexpected argument "grace": latchkey greet /],
  [['greet', 'ada', '--quiet'], 2, /^latchkey: Unknown option '--quiet'.\n$/],
  [['dance'], 2, 'latchkey: Unknown command "dance". Run `latchkey --help` for a list.\n'],
])('runCommand with %j returns %i and prints only an error message', async (words, code, sentence) => {
  expect(await run(...words)).toBe(code)
  expect(errors).toMatch(sentence)
  expect(printed).toBe('')
})

it('runCommand prints the help for all commands and for one command', async () => {
  expect([await run(), await run('--help'), await run('help')]).toEqual([0, 0, 0])
  expect(printed).toContain('  greet  say hello\n')
  printed = ''
  expect(await run('greet', '--help')).toBe(0)
  expect(printed).toBe(
    [
      'latchkey greet <name> [--loud] [--times <number>]',
      '',
      'Say hello.',
      '',
      '  <name>            who to greet',
      '  --loud            with a bang',
      '  --times <number>  how often (default: 1)',
      '',
    ].join('\n'),
  )
})
