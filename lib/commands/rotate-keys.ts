import { rotateKeys } from '@/lib/features/signing-keys/rotate-keys'
import { defineCommand, say, UsageError } from './frame/command'

export const rotateKeysCommand = defineCommand({
  name: 'rotate-keys',
  summary: 'make new signing keys',
  about:
    'They are published at once and sign a while later, when every client has fetched them; the old ones stay published until the last token they signed has expired. Servers that run pick them up by themselves.',
  options: { in: { about: 'from when on they sign', value: 'seconds', default: '600' } },
  needs: 'schema',
  run: async ({ options }) => {
    const seconds = Number(options.in)
    if (options.in === '' || !Number.isSafeInteger(seconds) || seconds < 0) {
      throw new UsageError('--in takes a number of seconds, such as --in 600.')
    }
    const { kids, signsFrom } = await rotateKeys(seconds)
    say(`New keys ${kids.join(', ')} are published and sign from ${signsFrom.toISOString()} on.`)
    return 0
  },
})
