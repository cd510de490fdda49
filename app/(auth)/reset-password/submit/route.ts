import { answerResetPassword } from '@/lib/web/answer-mailed-link'

export const POST = answerResetPassword
