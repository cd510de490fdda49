import { unmakeOperator } from '@/lib/features/operator/make-operator'
import { defineCommand, say } from './frame/command'

export const revokeAdminCommand = defineCommand({
  name: 'revoke-admin',
  summary: 'take an operator’s right away',
  about: 'The last one keeps it: make somebody else an operator first.',
  takes: { email: 'the address that the person signs in with' },
  needs: 'schema',
  run: async ({ args }) => {
    const { name, changed } = await unmakeOperator(args.email)
    say(changed ? `${name} is no longer an operator.` : `${name} was no operator.`)
    return 0
  },
})
