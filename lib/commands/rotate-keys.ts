import { rotateSigningKeysUnasked } from '@/lib/features/operator/manage-keys'
import { defineCommand, say, UsageError } from './frame/command'

/** Longer than anybody announces keys ahead; more is a slip of who thinks in milliseconds. */
const longest = 30 * 86_400

export const rotateKeysCommand = defineCommand({
  name: 'rotate-keys',
  summary: 'make new signing keys',
  about:
    'They are published at once and sign a while later, when every client has fetched them; the old ones stay published until the last token they signed has expired. Servers that run pick them up by themselves.',
  options: {
    in: { about: 'from when on they sign, thirty days at most', value: 'seconds', default: '600' },
    withdraw: {
      about: 'for keys that leaked: the new ones sign at once, and the old ones are published no more',
    },
  },
  needs: 'schema',
  run: async ({ options }) => {
    const seconds = Number(options.in)
    if (options.in === '' || !Number.isSafeInteger(seconds) || seconds < 0 || seconds > longest) {
      throw new UsageError('--in takes a number of seconds, such as --in 600, and thirty days at most.')
    }
    const { withdraw } = options
    const { kids, signsFrom } = await rotateSigningKeysUnasked({ aheadSeconds: seconds, withdraw })
    say(`New keys ${kids.join(', ')} are published and sign from ${signsFrom.toISOString()} on.`)
    if (withdraw)
      say('No other key is published any more: what was signed before fails wherever it is looked at again.')
    return 0
  },
})
