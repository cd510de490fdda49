import { answerPasskeyOptions } from '@/lib/web/answer-second-step'

export const POST = answerPasskeyOptions
