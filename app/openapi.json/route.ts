import { only } from '@/lib/base/http/only'
import { answerOpenApi } from '@/lib/features/docs/openapi/answer-openapi'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('GET', () => answerOpenApi())
