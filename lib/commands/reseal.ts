import { config } from '@/lib/base/config/env'
import { lacksFormerKeys } from '@/lib/features/sealing/former-keys'
import { type ColumnReport, reseal } from '@/lib/features/sealing/reseal'
import { defineCommand, say } from './frame/command'

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
