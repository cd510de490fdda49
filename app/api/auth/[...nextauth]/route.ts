import { answerNextAuth } from '@/lib/edges/web/sign-in/answer-next-auth'

export const GET = answerNextAuth
export const POST = answerNextAuth
