import { prisma } from '@/lib/base/db/prisma'
import { remember } from '@/lib/base/process/remember'

/** How long the answer that there is none counts, in milliseconds. That there is one counts for good: the last one stays. */
const againAfter = 10_000

type Asked = { at: number; found: Promise<boolean> }

const known = () => remember<{ found: boolean; asked?: Asked }>('has-operator', () => ({ found: false }))

/**
 * Whether nobody is an operator of this installation, as on a new database of one's own. Asks the database while that is
 * so, now and then, and never again afterwards.
 * @returns false where the database does not answer: nothing hangs on this
 */
export async function lacksOperator(): Promise<boolean> {
  const state = known()
  if (state.found) return false
  if (!state.asked || performance.now() - state.asked.at > againAfter) {
    state.asked = { at: performance.now(), found: findOne() }
  }
  try {
    state.found ||= await state.asked.found
    return !state.found
  } catch {
    return false
  }
}

const findOne = async (): Promise<boolean> =>
  (await prisma().user.findFirst({ where: { instanceAdmin: true }, select: { id: true } })) !== null
