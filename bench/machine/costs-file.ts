import { fraction, table, whole } from '../table'
import type { Written } from './written'

type StepCosts = { name: string; server: number; database: number; statements: number }

/** The costs of each step of a first sign-in, and of all steps together. CPU times are in microseconds. */
export type SignInCosts = { steps: StepCosts[]; whole: Omit<StepCosts, 'name'> & Written }

/**
 * The cost of one request, which `npm run capacity` reads. CPU times are in microseconds, and sizes are in
 * bytes.
 */
export type OperationCosts = { server: number; database: number } & Written

/** The content of docs/performance/costs.json. */
export type Costs = {
  machine: string
  database: string
  operations: Record<string, OperationCosts>
  signIn: SignInCosts
}

/** Returns the cost of one request of each operation as a table. */
export const operationTable = (operations: Costs['operations']) =>
  table(
    ['operation', 'server us', 'database us', 'log bytes', 'stored bytes'],
    Object.entries(operations).map(([name, { server, database, log, stored }]) => [
      name,
      ...[server, database, log, stored].map(whole),
    ]),
  )

/**
 * Returns the costs of a first sign-in: a table with a row for each step and the total, and a sentence about
 * the writes.
 */
export const signInTable = ({ steps, whole: all }: SignInCosts) =>
  [
    table(
      ['step', 'server us', 'database us', 'statements'],
      [
        ...steps.map(({ name, server, database, statements }) => [
          name,
          whole(server),
          whole(database),
          fraction(statements, 1),
        ]),
        ['all', whole(all.server), whole(all.database), fraction(all.statements, 1)],
      ],
    ),
    `A sign-in writes ${whole(all.log)} bytes of write-ahead log and ${whole(all.stored)} bytes of stored data.`,
  ].join('\n\n')
