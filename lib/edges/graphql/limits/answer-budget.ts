import {
  defaultFieldResolver,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isLeafType,
  isNullableType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { type GraphQLLimits, graphqlLimits } from '@/lib/base/config/limits'
import { pingDatabase } from '@/lib/base/db/check-connection'
import { AppError, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { errorCodes } from '@/lib/base/errors/codes'
import { log } from '@/lib/base/log/log'
import type { GraphQLContext } from '../context'
import { charactersPerPoint, points } from './check-cost'

/**
 * What the answer to one operation may come to: so many points, counted as it is put together, in so much time. What an
 * operation costs (check-cost.ts) is an estimate made before; this is what is really there.
 * See ADR 0015.
 */
export class AnswerBudget {
  /** Why the operation was ended; whatever is still to be resolved then fails at once, and nothing of it is answered. */
  refusal: AppError | undefined
  private spent = 0
  private loaded = 0
  private readonly most: number
  private readonly deadline: number

  constructor(readonly limits: GraphQLLimits = graphqlLimits) {
    this.most = limits.answerPoints
    this.deadline = performance.now() + limits.timeoutMs
  }

  /** Milliseconds that are left. */
  get timeLeft(): number {
    return this.deadline - performance.now()
  }

  /** @throws AppError QUERY_TOO_COMPLEX when the operation was ended, or its time is over */
  check(): void {
    if (this.refusal) throw this.refusal
    if (this.timeLeft < 0) throw this.timeOut()
  }

  /**
   * Counts what a field answered.
   * @param each points of one value; long texts count more
   * @throws AppError QUERY_TOO_COMPLEX
   */
  spend(value: unknown, each: number): void {
    if (Array.isArray(value)) {
      this.spent += value.length * each
    } else {
      this.spent += typeof value === 'string' ? each + Math.floor(value.length / charactersPerPoint) : each
    }
    if (this.spent > this.most) throw this.tooLarge()
  }

  /**
   * Counts a field that failed, whose error stands in the answer.
   * @param places how often the query names the field; the error lists each
   * @throws AppError QUERY_TOO_COMPLEX
   */
  spendError(places: number): void {
    this.spent += points.error + (places - 1) * points.place
    if (this.spent > this.most) throw this.tooLarge()
  }

  /** Rows that may still be read for the answer; each is an object in it. */
  get rowsLeft(): number {
    return Math.max(0, Math.floor(this.most / points.object) - this.loaded)
  }

  /** Counts rows that were read for the answer, before any of them is in it. @throws AppError QUERY_TOO_COMPLEX */
  load(rows: number): void {
    const fits = rows <= this.rowsLeft
    this.loaded += rows
    if (!fits) throw this.tooLarge()
    this.check()
  }

  /** Ends the operation because its time is over. */
  timeOut(): AppError {
    const seconds = this.limits.timeoutMs / 1000
    this.refusal ??= new AppError(
      'QUERY_TOO_COMPLEX',
      `This operation was stopped after ${seconds} seconds. Request less data, or try again later. Changes that a mutation had made are kept.`,
    )
    return this.refusal
  }

  private tooLarge(): AppError {
    this.refusal ??= new AppError(
      'QUERY_TOO_COMPLEX',
      `The response would cost more than ${this.most} points. Request smaller pages (\`first\`) or fewer fields. Changes that a mutation had made are kept.`,
    )
    return this.refusal
  }
}

type Result = ExecutionResult | Promise<ExecutionResult>

/**
 * Executes an operation within its budget. One that passes it is answered by the refusal alone: half an answer would look
 * like a whole one, and be as large.
 * @param execute whose fields count against the budget; once it is spent they fail, which ends what is left of the work
 */
export function executeWithin(budget: AnswerBudget, execute: () => Result): Result {
  const result = execute()
  return result instanceof Promise ? inTime(budget, result) : orRefusal(budget, result)
}

const inTime = (budget: AnswerBudget, result: Promise<ExecutionResult>): Promise<ExecutionResult> =>
  new Promise((resolve, reject) => {
    let isLate = false
    // A field that waits, for a lock for example, does not check the clock.
    const timer = setTimeout(
      () => {
        isLate = true
        whyLate(budget.timeOut()).then((reason) => resolve(refused(reason)), reject)
      },
      Math.max(0, budget.timeLeft),
    )
    const settle = (done: () => void) => {
      clearTimeout(timer)
      if (!isLate) done()
    }
    result.then(
      (answer) => settle(() => resolve(orRefusal(budget, answer))),
      (error) => settle(() => reject(error)),
    )
  })

/**
 * Why time is over: an operation that asks for too much, or a database that hangs or is gone without a word, of which the
 * connection itself is told later than that. See ADR 0048.
 */
async function whyLate(tooLong: AppError): Promise<AppError> {
  try {
    await pingDatabase()
    return tooLong
  } catch (error) {
    log.warn('the database does not answer', { name: 'graphql', error })
    const message = `${errorCodes.SERVICE_UNAVAILABLE.message} What a mutation had changed by then stays changed.`
    return new AppError('SERVICE_UNAVAILABLE', message, { retryAfter: outageRetrySeconds })
  }
}

const orRefusal = ({ refusal }: AnswerBudget, result: ExecutionResult): ExecutionResult =>
  refusal ? refused(refusal) : result

/** `data` is there, and null: the operation was executed as far as its budget went. */
const refused = (refusal: AppError): ExecutionResult => ({
  data: null,
  errors: [new GraphQLError(refusal.message, { originalError: refusal })],
})

/** By the nodes of a field, which are the same for each of the rows of a list. */
const known = new WeakMap<readonly FieldNode[], number>()

/**
 * How often the selection of a field names `__typename`, which graphql-js answers itself, past every resolver. Whatever
 * the type of a row: a fragment for another type counts too.
 */
function countTypenames({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const before = known.get(fieldNodes)
  if (before !== undefined) return before
  const ofFragments = new Map<string, number>()

  /** Once for each fragment, as in `costOf`. */
  const ofFragment = (name: string): number => {
    const counted = ofFragments.get(name) ?? ofSet(fragments[name]?.selectionSet)
    ofFragments.set(name, counted)
    return counted
  }
  const ofSet = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + (selection.name.value === '__typename' ? 1 : 0)
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + ofSet(selection.selectionSet)
      return sum + ofFragment(selection.name.value)
    }, 0)
  const count = fieldNodes.reduce((sum, { selectionSet }) => sum + ofSet(selectionSet), 0)
  known.set(fieldNodes, count)
  return count
}

/**
 * Has every field of a schema count what it answers, or that it failed, against the budget of its request, and do nothing
 * more once that is spent.
 * @returns the same schema
 */
export function meterFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) field.resolve = metered(field)
  }
  return schema
}

function metered(field: GraphQLField<unknown, GraphQLContext>): typeof field.resolve {
  const resolve = field.resolve ?? defaultFieldResolver
  const leaf = isLeafType(getNamedType(field.type))
  const nullable = isNullableType(field.type)
  return (source, args, context, info) => {
    // Nothing of the answer is sent then, and errors by the ten thousand take seconds to make.
    if (nullable && context.budget.refusal) return null
    context.budget.check()
    const each = leaf ? points.scalar : points.object + countTypenames(info) * points.scalar
    let value: unknown
    try {
      value = resolve(source, args, context, info)
    } catch (error) {
      return fail(error, context, info)
    }
    if (!(value instanceof Promise)) return count(value, context, each)
    return value.then(
      (found) => count(found, context, each),
      (error) => fail(error, context, info),
    )
  }
}

function count(value: unknown, { budget }: GraphQLContext, each: number): unknown {
  budget.spend(value, each)
  return value
}

function fail(error: unknown, { budget }: GraphQLContext, { fieldNodes }: GraphQLResolveInfo): never {
  budget.spendError(fieldNodes.length)
  throw error
}
