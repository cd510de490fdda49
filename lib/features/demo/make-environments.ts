import { seal } from '@/lib/base/credentials/seal'
import { idAt } from '@/lib/base/db/keyset'
import { type DemoPlace, daysAgo, idOf } from './demo-place'

const website = { NEXT_PUBLIC_SITE_NAME: 'Acme', LOG_LEVEL: 'info', FEATURE_SEARCH: 'on' }
const payments = { CURRENCY: 'EUR', PAYOUT_DAY: '15', STATEMENT_DESCRIPTOR: 'ACME INC' }

/** Values by project, environment and name. None is a secret: they stand here. */
const environments: [project: string, name: string, days: number, variables: Record<string, string>][] = [
  ['Website', 'production', 33, { ...website, SITE_URL: 'https://www.acme.example' }],
  ['Website', 'staging', 33, { ...website, SITE_URL: 'https://staging.acme.example', LOG_LEVEL: 'debug' }],
  ['Payments', 'production', 27, { ...payments, PROVIDER_MODE: 'live' }],
  ['Payments', 'staging', 27, { ...payments, PROVIDER_MODE: 'test' }],
]

/** Environments with variables, and who set them when. */
export async function makeEnvironments(place: DemoPlace): Promise<void> {
  const { tx, people, projects } = place
  const grace = idOf(people, 'grace@example.com')
  for (const [project, name, days, variables] of environments) {
    const projectId = projects.get(project)
    if (!projectId) continue
    const createdAt = daysAgo(place, days)
    const environmentId = idAt(createdAt)
    const each = Object.entries(variables).map(([variable, value], at) => ({
      at: daysAgo(place, days - at * 3, 11),
      name: variable,
      value,
    }))
    await tx.environment.create({
      data: { id: environmentId, projectId, name, revision: each.length, createdAt },
    })
    await tx.variable.createMany({
      data: each.map(({ at, name: variable, value }) => ({
        id: idAt(at),
        environmentId,
        name: variable,
        sealedValue: Uint8Array.from(seal(value, 'variable')),
        createdAt: at,
        updatedAt: at,
      })),
    })
    await tx.variableChange.createMany({
      data: each.map(({ at, name: variable }) => ({
        id: idAt(at),
        environmentId,
        name: variable,
        action: 'CREATED' as const,
        userId: grace,
        actorKind: 'session',
        createdAt: at,
      })),
    })
  }
}
