import { answerForgotPassword } from '@/lib/web/answer-mailed-link'

export const POST = answerForgotPassword
