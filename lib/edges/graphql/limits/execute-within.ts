import { type ExecutionResult, GraphQLError } from 'graphql'
import type { AppError } from '@/lib/base/errors/app-error'
import type { AnswerBudget } from './answer-budget'

type Result = ExecutionResult | Promise<ExecutionResult>

/**
 * Executes an operation within its budget. One that passes it is answered by the refusal alone: half an answer would look
 * like a whole one, and be as large.
 * @param execute whose fields count against the budget; once it is spent they fail, which ends what is left of the work
 */
export function executeWithin(budget: AnswerBudget, execute: () => Result): Result {
  const result = execute()
  if (!(result instanceof Promise)) return orRefusal(budget, result)
  let timer: NodeJS.Timeout | undefined
  // A field that waits, for a lock say, does not look at the clock.
  const late = new Promise<ExecutionResult>((resolve) => {
    timer = setTimeout(() => resolve(refused(budget.timeOut())), Math.max(0, budget.timeLeft))
  })
  const done = result.then((answer) => orRefusal(budget, answer))
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

const orRefusal = ({ refusal }: AnswerBudget, result: ExecutionResult): ExecutionResult =>
  refusal ? refused(refusal) : result

/** `data` is there, and null: the operation was executed as far as its budget went. */
const refused = (refusal: AppError): ExecutionResult => ({
  data: null,
  errors: [new GraphQLError(refusal.message, { originalError: refusal })],
})
