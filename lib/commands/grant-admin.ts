import { makeOperator } from '@/lib/features/operator/make-operator'
import { defineCommand, say } from './frame/command'

export const grantAdminCommand = defineCommand({
  name: 'grant-admin',
  summary: 'make a person an operator of this installation',
  about: 'They sign up first, on the page, and find the operator’s pages at /operator from then on.',
  takes: { email: 'the address that the person signs in with' },
  needs: 'schema',
  run: async ({ args }) => {
    const { name, changed, confirmed } = await makeOperator(args.email)
    say(changed ? `${name} is an operator now.` : `${name} was an operator already.`)
    if (!confirmed)
      say('Nobody has confirmed that address by mail: make sure that it was its owner who signed up with it.')
    return 0
  },
})
