import { releaseName } from '@/lib/base/process/release'
import { type Finding, inspect } from './check/inspect'
import { defineCommand, say } from './frame/command'
import { withDatabase } from './frame/with-database'

const marks = { good: 'ok     ', doubtful: 'look at', bad: 'WRONG  ' }

const tell = ({ state, what, says }: Finding) => say(`${marks[state]}  ${what.padEnd(12)}  ${says}`)

export const checkCommand = defineCommand({
  name: 'check',
  summary: 'check the settings, the database and the keys',
  about:
    'It changes nothing and prints no secret. The exit code is 1 where something would keep the server from starting or working.',
  needs: 'nothing',
  run: async ({ root }) => {
    let sound = true
    tell({ state: 'good', what: 'release', says: releaseName() })
    try {
      await withDatabase('database', root, async () => {
        for await (const finding of inspect()) {
          sound &&= finding.state !== 'bad'
          tell(finding)
        }
      })
    } catch (error) {
      const { name, message } = error as Error
      tell({ state: 'bad', what: name === 'ConfigError' ? 'settings' : 'database', says: message })
      sound = false
    }
    return sound ? 0 : 1
  },
})
