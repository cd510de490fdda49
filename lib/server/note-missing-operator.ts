import { log } from '@/lib/base/log/log'
import { lacksOperator } from '@/lib/features/operator/lacks-operator'

/** Says in the log of a new installation how its first operator is made. */
export async function noteMissingOperator(): Promise<void> {
  if (await lacksOperator()) {
    log.warn(
      'there is no instance admin yet; create one with `latchkey create-admin --email <address> --password-stdin`',
    )
  }
}
