import { answerPasskeySignIn } from '@/lib/web/answer-second-step'

export const POST = answerPasskeySignIn
