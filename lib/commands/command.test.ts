import { beforeEach, expect, it, vi } from 'vitest'
import { defineCommand, runCommand, UsageError } from './command'

let printed = ''
let complained = ''
beforeEach(() => {
  printed = complained = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    complained += text
    return true
  })
})

let told: unknown
const greet = defineCommand({
  name: 'greet',
  summary: 'say hello',
  takes: { name: 'whom' },
  options: { loud: { about: 'with a bang' }, times: { about: 'how often', value: 'number', default: '1' } },
  needs: 'nothing',
  run: async ({ args, options, root }) => {
    told = { args, options, root }
    if (args.name === 'disk') throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', path: '/x' })
    if (args.name === 'nobody') throw new Error('Nobody is there.')
    if (options.times === '0') throw new UsageError('--times takes a number from 1.')
    return args.name === 'ghost' ? 3 : undefined
  },
})
const run = (...words: string[]) => runCommand([greet], words, '/root')

it('runs a command with its words, and ends as it says', async () => {
  expect(await run('greet', 'ada', '--times', '2', '--loud')).toBe(0)
  expect(told).toEqual({ args: { name: 'ada' }, options: { loud: true, times: '2' }, root: '/root' })
  expect(await run('greet', 'ada')).toBe(0)
  expect(told).toMatchObject({ options: { loud: false, times: '1' } })
  expect(await run('greet', 'ghost')).toBe(3)
})

it.each([
  [['greet', 'disk'], 1, 'latchkey: There is no room left for /x.\n'],
  [['greet', 'nobody'], 1, 'latchkey: Nobody is there.\n'],
  [['greet', 'ada', '--times', '0'], 2, 'latchkey: --times takes a number from 1.\n'],
  [['greet'], 2, 'latchkey: <name> is missing: latchkey greet <name> [--loud] [--times <number>].\n'],
  [['greet', 'ada', 'grace'], 2, /^latchkey: "grace" is one word too many: latchkey greet /],
  [['greet', 'ada', '--quiet'], 2, /^latchkey: Unknown option '--quiet'.\n$/],
  [['dance'], 2, 'latchkey: There is no command "dance"; `latchkey --help` lists them.\n'],
])('%j ends with %i and one sentence', async (words, code, sentence) => {
  expect(await run(...words)).toBe(code)
  expect(complained).toMatch(sentence)
  expect(printed).toBe('')
})

it('prints help of all and of one, made from what the command accepts', async () => {
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
      '  <name>            whom',
      '  --loud            with a bang',
      '  --times <number>  how often (1)',
      '',
    ].join('\n'),
  )
})
