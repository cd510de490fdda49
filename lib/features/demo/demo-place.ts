import type { Db } from '@/lib/base/db/prisma'

/** Where the demo becomes lively: a workspace that it has just made, with the ids of its people by email and of its projects by name. */
export type DemoPlace = {
  tx: Db
  workspaceId: string
  people: ReadonlyMap<string, string>
  projects: ReadonlyMap<string, string>
  now: Date
}

/** The moment so many days ago, at an hour (UTC) that looks like work. */
export const daysAgo = ({ now }: Pick<DemoPlace, 'now'>, days: number, hour = 10): Date => {
  const moment = new Date(now.getTime() - days * 86_400_000)
  moment.setUTCHours(hour, (days * 17) % 60, (days * 41) % 60, 0)
  return moment < now ? moment : new Date(now.getTime() - 60_000)
}

/** @throws Error for somebody or something that the demo does not have */
export function idOf(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (!id) throw new Error(`the demo has no ${name}`)
  return id
}
