import { type ExecutionResult, GraphQLError } from 'graphql'
import { seeThatDatabaseAnswers } from '@/lib/base/db/does-answer'
import { AppError, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { errorCodes } from '@/lib/base/errors/codes'
import { log } from '@/lib/base/log/log'
import type { AnswerBudget } from './answer-budget'

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

async function inTime(budget: AnswerBudget, result: Promise<ExecutionResult>): Promise<ExecutionResult> {
  let timer: NodeJS.Timeout | undefined
  // A field that waits, for a lock say, does not look at the clock.
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, budget.timeLeft))
  })
  try {
    const answer = await Promise.race([result, late])
    return answer ? orRefusal(budget, answer) : refused(await whyLate(budget.timeOut()))
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Why time is over: an operation that asks for too much, or a database that hangs or is gone without a word, of which the
 * connection itself is told later than that. See decision 107.
 */
async function whyLate(tooLong: AppError): Promise<AppError> {
  try {
    await seeThatDatabaseAnswers()
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
