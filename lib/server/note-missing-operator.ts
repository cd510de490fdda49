import { log } from '@/lib/base/log/log'
import { lacksOperator } from '@/lib/features/operator/lacks-operator'

/** Says in the log of a new installation how its first operator is made. */
export async function noteMissingOperator(): Promise<void> {
  if (await lacksOperator()) {
    log.warn('nobody is an operator yet: sign up, then run `latchkey grant-admin <email>` on this server')
  }
}
