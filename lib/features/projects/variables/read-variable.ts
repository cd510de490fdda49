import { unseal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/input'
import type { Actor } from '@/lib/policy/actor'
import { requireEnvironment } from '../environments/require-environment'
import { variableInput } from './input'
import { unknownVariable } from './unknown-variable'

/**
 * Opens the value of one variable. Takes `project:read-values`.
 * @param input `environmentId`, `name`
 * @throws AppError NOT_FOUND, and as `authorizeProject`
 */
export async function readVariable(actor: Actor, input: unknown): Promise<string> {
  const { environmentId, name } = parseInput(variableInput, input)
  const { environment } = await requireEnvironment(actor, 'project:read-values', environmentId)
  const variable = await prisma().variable.findFirst({
    where: { environmentId: environment.id, name: name.replaceAll('\0', '') },
    select: { sealedValue: true },
  })
  if (!variable) throw unknownVariable(name)
  return unseal(variable.sealedValue, 'variable')
}
