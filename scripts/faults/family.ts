import { startFamily } from '@/lib/testing/cluster-family'
import { type Stage, withStage } from './stage'

type Family = Awaited<ReturnType<typeof startFamily>>

/** Sets up a stage with a primary that supports standbys, runs the work, and removes the stage. */
export function withFamily<T>(work: (stage: Stage, family: Family) => Promise<T>): Promise<T> {
  let family: Family | undefined
  const open = async (dataDir: string) => {
    family = await startFamily(dataDir)
    return { url: family.primary.url, release: family.end }
  }
  return withStage({ open }, (stage) => work(stage, family as Family))
}
