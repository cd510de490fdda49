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
 * The limits on the response to one operation: its size in points, which are counted as the response is
 * built, and the time to build it. The cost in check-cost.ts is an estimate of this size. See ADR 0012.
 */
export class AnswerBudget {
  /** The reason why the operation was ended. If it is set, the remaining fields are not resolved. */
  refusal: AppError | undefined
  private spent = 0
  private loaded = 0
  private readonly most: number
  private readonly deadline: number

  constructor(readonly limits: GraphQLLimits = graphqlLimits) {
    this.most = limits.answerPoints
    this.deadline = performance.now() + limits.timeoutMs
  }

  /** Returns the number of milliseconds until the deadline. It is negative after the deadline. */
  get timeLeft(): number {
    return this.deadline - performance.now()
  }

  /**
   * Checks that the operation can continue. If the time is up, ends the operation.
   * @throws the error that ended the operation, including the timeout error
   */
  check(): void {
    if (this.refusal) throw this.refusal
    if (this.timeLeft < 0) throw this.timeOut()
  }

  /**
   * Counts the result of a field.
   * @param value the result; each item of a list counts, and a long string that is not in a list costs more
   * @param each the points of one value
   * @throws AppError QUERY_TOO_COMPLEX if the response exceeds its limit
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
   * Counts a failed field, which adds an error to the response.
   * @param places the number of times that the query contains the field, because the error lists each
   * location
   * @throws AppError QUERY_TOO_COMPLEX if the response exceeds its limit
   */
  spendError(places: number): void {
    this.spent += points.error + (places - 1) * points.place
    if (this.spent > this.most) throw this.tooLarge()
  }

  /**
   * Returns how many more rows can be read. Each row becomes an object in the response, so the limit is the
   * number of objects that the budget allows.
   */
  get rowsLeft(): number {
    return Math.max(0, Math.floor(this.most / points.object) - this.loaded)
  }

  /**
   * Counts rows that were read, before they are added to the response.
   * @throws AppError QUERY_TOO_COMPLEX if there are more rows than `rowsLeft`, or the errors of `check`
   */
  load(rows: number): void {
    const fits = rows <= this.rowsLeft
    this.loaded += rows
    if (!fits) throw this.tooLarge()
    this.check()
  }

  /**
   * Ends the operation because it timed out, unless it was already ended.
   * @returns the timeout error, or the error that ended the operation earlier
   */
  timeOut(): AppError {
    const seconds = this.limits.timeoutMs / 1000
    this.refusal ??= new AppError(
      'QUERY_TOO_COMPLEX',
      `This operation timed out after ${seconds} seconds. Request less data, or try again later. Completed changes are kept.`,
    )
    return this.refusal
  }

  private tooLarge(): AppError {
    this.refusal ??= new AppError(
      'QUERY_TOO_COMPLEX',
      `The response exceeds the limit of ${this.most} points. Request smaller pages (\`first\`) or fewer fields. Completed changes are kept.`,
    )
    return this.refusal
  }
}

type Result = ExecutionResult | Promise<ExecutionResult>

/**
 * Executes an operation within its budget. If the budget is exceeded or the time is up, returns a response
 * that contains only the error, because a partial response would look complete and could be just as large. At
 * the deadline, does not wait for the remaining fields.
 * @param execute executes the fields, which count against the budget. After the budget is spent, no more
 *   fields are resolved
 */
export function executeWithinBudget(budget: AnswerBudget, execute: () => Result): Result {
  const result = execute()
  return result instanceof Promise ? beforeDeadline(budget, result) : withRefusal(budget, result)
}

const beforeDeadline = (budget: AnswerBudget, result: Promise<ExecutionResult>): Promise<ExecutionResult> =>
  new Promise((resolve, reject) => {
    let isLate = false
    // Use a timer, because a field that is waiting, for example for a lock, does not check the time limit.
    const timer = setTimeout(
      () => {
        isLate = true
        timeoutError(budget.timeOut()).then((reason) => resolve(refused(reason)), reject)
      },
      Math.max(0, budget.timeLeft),
    )
    const settle = (done: () => void) => {
      clearTimeout(timer)
      if (!isLate) done()
    }
    result.then(
      (answer) => settle(() => resolve(withRefusal(budget, answer))),
      (error) => settle(() => reject(error)),
    )
  })

/**
 * Returns the error for an operation that timed out: `tooLong` if the database responds to a ping, or
 * SERVICE_UNAVAILABLE otherwise. The ping is necessary because a database can stop responding without closing
 * its connections. The operation's own connection would detect such an outage only later. See ADR 0038.
 */
async function timeoutError(tooLong: AppError): Promise<AppError> {
  try {
    await pingDatabase()
    return tooLong
  } catch (error) {
    log.warn('the database does not answer', { name: 'graphql', error })
    const message = `${errorCodes.SERVICE_UNAVAILABLE.message} Completed changes are kept.`
    return new AppError('SERVICE_UNAVAILABLE', message, { retryAfter: outageRetrySeconds })
  }
}

const withRefusal = ({ refusal }: AnswerBudget, result: ExecutionResult): ExecutionResult =>
  refusal ? refused(refusal) : result

/** Returns a response with only the error. `data` is null instead of absent, because execution had begun. */
const refused = (refusal: AppError): ExecutionResult => ({
  data: null,
  errors: [new GraphQLError(refusal.message, { originalError: refusal })],
})

/**
 * The results of `countTypenames` by the array of a field's AST nodes. All rows of a list share this array.
 */
const known = new WeakMap<readonly FieldNode[], number>()

/**
 * Returns how often a field's own selection contains `__typename`. graphql-js resolves `__typename` without a
 * resolver that `meterFields` could wrap, so its points are added to the points of the field's objects.
 * Fragments are counted even if they do not apply to the object's type.
 */
function countTypenames({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const before = known.get(fieldNodes)
  if (before !== undefined) return before
  const ofFragments = new Map<string, number>()

  /** Returns the number of `__typename` in a fragment. Visits each fragment once, like `costOf`. */
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
 * Makes every field of a schema, except introspection fields, count its result or failure against the budget
 * of the request. After the operation was ended, the remaining fields are not resolved.
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
    // Return null instead of throwing. The response will be discarded, and creating tens of thousands of
    // errors would take seconds.
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
