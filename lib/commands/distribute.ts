import { config } from '@/lib/base/config/env'
import { distribute } from '@/lib/features/distribution/distribute'
import { defineCommand, say, UsageError } from './frame/command'

export const distributeCommand = defineCommand({
  name: 'distribute',
  summary: 'lay the tables out over the nodes of Citus',
  about:
    'The servers go on meanwhile. It may be ended at any time and run again, and does what is missing. Run it again after an upgrade.',
  options: {
    shards: { about: 'how many shards the tokens get', value: 'number', default: '32' },
  },
  needs: 'schema',
  run: async ({ options }) => {
    const shards = Number(options.shards)
    if (!Number.isInteger(shards) || shards < 1 || shards > 1024) {
      throw new UsageError('--shards takes a number from 1 to 1024.')
    }
    const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_CA } = config()
    const address = DATABASE_DIRECT_URL || DATABASE_URL
    await distribute({ address, ca: DATABASE_CA, shards, told: say })
    say('The tables lie as they should.')
    return 0
  },
})
