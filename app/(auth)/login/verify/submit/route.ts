import { answerSecondStepCode } from '@/lib/web/answer-second-step'

export const POST = answerSecondStepCode
