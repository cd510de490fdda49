import { removeDemo } from '@/lib/features/demo/remove-demo'
import { defineCommand, say } from './frame/command'

export const removeDemoCommand = defineCommand({
  name: 'remove-demo',
  summary: 'remove the demo people and their workspaces',
  about:
    'Projects, apps, tokens and audit logs of those workspaces go with them, at once and for good, whoever made them. Workspaces that other people are in are named first, and nothing is removed. Somebody else has to be an operator first.',
  options: {
    'with-everything': { about: 'removes the workspaces that other people are in, too, with all their work' },
  },
  needs: 'schema',
  run: async ({ options }) => {
    const { people, workspaces } = await removeDemo({ withEverything: options['with-everything'] })
    if (people.length + workspaces.length === 0) say('There is no demo data.')
    else say(`Removed ${[...people, ...workspaces].join(', ')}, and everything of theirs.`)
    return 0
  },
})
