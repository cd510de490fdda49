import { answerSecondStepOptions } from '@/lib/web/answer-second-step'

export const POST = answerSecondStepOptions
