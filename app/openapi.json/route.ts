import { answerOpenApi } from '@/lib/openapi/answer-openapi'
import { only } from '@/lib/web/only'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('GET', () => answerOpenApi())
