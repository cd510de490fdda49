import { z } from 'zod'

/** What a process says of itself. A release before or after this one may say less or more. */
export const replicaState = z.object({
  /** Why it is not ready; undefined while it is. */
  trouble: z.string().optional().catch(undefined),
  /** Whether its background jobs run. */
  jobs: z.boolean().catch(false),
  pool: z
    .object({ used: z.number(), most: z.number(), waiting: z.number() })
    .catch({ used: 0, most: 0, waiting: 0 }),
  /** By how much the event loop was late, in milliseconds: the worst of a hundred times. */
  lateMs: z.number().catch(0),
  memoryBytes: z.number().catch(0),
  node: z.string().catch(''),
  pid: z.number().catch(0),
})

export type ReplicaState = z.output<typeof replicaState>
