import { config } from '@/lib/base/config/env'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { asStoredAddress } from '@/lib/base/mail/email-address'
import { recordEvent } from '@/lib/features/audit/record-event'
import { lockOperators } from '@/lib/policy/hold'
import { giveRight } from './give-right'

/** What came of it: whose right it is, whether it is another than before, and whether the address was confirmed by mail. */
type Outcome = { name: string; changed: boolean; confirmed: boolean }

/**
 * Makes a person an operator on the word of whoever runs this machine, for the first of them and for the day when none is
 * left who can sign in. The event says that the product did it, and the person is told by mail. A stranger may have signed up
 * under an address before its owner did, so where mails are sent the address must have been confirmed.
 * @param email as typed
 * @throws AppError NOT_FOUND, CONFLICT (suspended, or not confirmed)
 */
export const makeOperator = (email: string): Promise<Outcome> =>
  change(email, async (tx, person) => {
    if (person.suspendedAt)
      throw new AppError('CONFLICT', `${person.email} is suspended; let them in again first.`)
    if (!person.emailVerifiedAt && config().SMTP_URL !== undefined) {
      throw new AppError(
        'CONFLICT',
        `${person.email} is not confirmed, so anybody may have signed up with it; follow the link in the mail that was sent there first.`,
      )
    }
    return setRight(tx, person.id, true)
  })

/**
 * Takes an operator's right away; the last one keeps it.
 * @param email as typed
 * @throws AppError NOT_FOUND, CONFLICT (the last one)
 */
export const unmakeOperator = (email: string): Promise<Outcome> =>
  change(email, async (tx, person) => {
    const operators = await lockOperators(tx)
    if (operators.length === 1 && operators[0] === person.id) {
      throw new AppError('CONFLICT', `${person.email} is the only operator; make somebody else one first.`)
    }
    return setRight(tx, person.id, false)
  })

type Person = {
  id: string
  name: string
  email: string
  emailVerifiedAt: Date | null
  suspendedAt: Date | null
}

const change = (email: string, work: (tx: Db, person: Person) => Promise<boolean>): Promise<Outcome> =>
  prisma().$transaction(async (tx) => {
    const person = await tx.user.findUnique({
      where: { email: asStoredAddress(email) },
      select: { id: true, name: true, email: true, emailVerifiedAt: true, suspendedAt: true },
    })
    if (!person) {
      throw new AppError(
        'NOT_FOUND',
        `Nobody has signed up as ${email}; sign up on the page first, at /signup.`,
      )
    }
    const changed = await work(tx, person)
    return { name: person.name, changed, confirmed: person.emailVerifiedAt !== null }
  })

async function setRight(tx: Db, id: string, instanceAdmin: boolean): Promise<boolean> {
  if (!(await giveRight(tx, id, instanceAdmin))) return false
  await recordEvent(
    tx,
    { kind: 'system', userId: id },
    {
      action: instanceAdmin ? 'person.operator_added' : 'person.operator_removed',
      resource: { type: 'user', id },
      details: { by: 'command' },
    },
  )
  return true
}
