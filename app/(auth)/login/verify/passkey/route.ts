import { answerSecondStepPasskey } from '@/lib/web/answer-second-step'

export const POST = answerSecondStepPasskey
