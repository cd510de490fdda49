import { answerSignOut } from '@/lib/web/answer-sign-out'

export const POST = answerSignOut
