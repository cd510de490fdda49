import { answerVerifyEmail } from '@/lib/web/answer-mailed-link'

export const POST = answerVerifyEmail
