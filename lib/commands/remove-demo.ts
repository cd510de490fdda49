import { removeDemo } from '@/lib/features/demo/remove-demo'
import { defineCommand, say } from './frame/command'

export const removeDemoCommand = defineCommand({
  name: 'remove-demo',
  summary: 'remove the demo people and their workspaces',
  about:
    'Projects, apps, tokens and audit logs of the demo go with them, at once and for good. What other people made stays. Somebody else has to be an operator first.',
  needs: 'schema',
  run: async () => {
    const { people, workspaces } = await removeDemo()
    if (people.length + workspaces.length === 0) say('There is no demo data.')
    else say(`Removed ${[...people, ...workspaces].join(', ')}, and everything of theirs.`)
    return 0
  },
})
