import { makeOperator } from '@/lib/features/operator/make-operator'
import { defineCommand, say } from './frame/command'

export const grantAdminCommand = defineCommand({
  name: 'grant-admin',
  summary: 'make a person an operator of this installation',
  about: 'They sign up first, on the page, and find the operator’s pages at /operator from then on.',
  takes: { email: 'the address that the person signs in with' },
  needs: 'schema',
  run: async ({ args }) => {
    const { name, changed } = await makeOperator(args.email)
    say(changed ? `${name} is an operator now.` : `${name} was an operator already.`)
    return 0
  },
})
