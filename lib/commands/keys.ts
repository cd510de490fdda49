import { config } from '@/lib/base/config/env'
import { lacksFormerKeys } from '@/lib/features/keys/former-keys'
import { type ColumnReport, reseal } from '@/lib/features/keys/reseal'
import { rotateSigningKeysUnasked } from '@/lib/features/operator/manage-keys'
import { defineCommand, say, UsageError } from './command'

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

export const resealCommand = defineCommand({
  name: 'reseal',
  summary: 'seal everything anew with SECRET_KEY',
  about:
    'What a key of SECRET_KEY_PREVIOUS had sealed is sealed with SECRET_KEY, while the servers run. It may be ended at any time and run again. With --check nothing is changed. The exit code is 1 while anything takes a former key, or opens under none.',
  options: { check: { about: 'only say what is sealed with which key' } },
  needs: 'schema',
  run: async ({ options }) => {
    if (!options.check) await reseal({ progress: tellNowAndThen() })
    // Counted once more: a server that does not know the new key yet goes on sealing with the former one.
    const reports = await reseal({ check: true })
    for (const report of reports) say(describe(report))
    const { done, says } = await verdict(reports, options.check)
    say(says)
    return done ? 0 : 1
  },
})

const describe = ({ name, values, former, unreadable }: ColumnReport) =>
  [
    `${name.padEnd(36)} ${values - former - unreadable} with SECRET_KEY`,
    ...(former > 0 ? [`${former} with a former key`] : []),
    ...(unreadable > 0 ? [`${unreadable} that no key opens`] : []),
  ].join(', ')

const still = (says: string) => ({ done: false, says })

async function verdict(reports: ColumnReport[], check: boolean): Promise<{ done: boolean; says: string }> {
  if (reports.some(({ unreadable }) => unreadable > 0)) {
    return still(
      'Some values open under no key: add the key they were sealed with to SECRET_KEY_PREVIOUS, and run this again.',
    )
  }
  if (reports.some(({ former }) => former > 0)) {
    return still(
      check
        ? 'Former keys are still needed; `latchkey reseal` seals anew what they sealed.'
        : 'A server still seals with a former key: give every server the new SECRET_KEY, and run this again.',
    )
  }
  if (await lacksFormerKeys()) {
    return still('Former keys are still needed: `latchkey reseal` keeps what recovery codes take of them.')
  }
  const goes =
    config().SECRET_KEY_PREVIOUS.length > 0
      ? ' SECRET_KEY_PREVIOUS can go; who has not opened a page meanwhile signs in again.'
      : ''
  return { done: true, says: `Everything is sealed with SECRET_KEY.${goes}` }
}

const everyMs = 1_000

/** A line a second at most, for tables that take long. */
function tellNowAndThen(): (report: ColumnReport) => void {
  let told = performance.now()
  return ({ name, values, resealed }) => {
    if (performance.now() - told < everyMs) return
    told = performance.now()
    say(`... ${name}: ${values} read, ${resealed} sealed anew`)
  }
}
