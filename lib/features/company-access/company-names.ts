import { prisma } from '@/lib/base/db/prisma'
import { providerName } from '@/lib/policy/required-sso'

const prefix = providerName('')

/** What companies' providers are called, by their workspaces, as the accounts at them have it; the rest of the names is left out. */
export async function companyNames(providers: string[]): Promise<{ id: string; name: string }[]> {
  const ids = providers
    .filter((provider) => provider.startsWith(prefix))
    .map((provider) => provider.slice(prefix.length))
  const named = await prisma().workspace.findMany({
    where: { id: { in: [...new Set(ids)] } },
    orderBy: { name: 'asc' },
    select: { id: true, name: true },
  })
  return named.map(({ id, name }) => ({ id: providerName(id), name }))
}
