import { answerSecondStepCode } from '@/lib/web/answer-second-step'
import { only } from '@/lib/web/only'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', answerSecondStepCode)
