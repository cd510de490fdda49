import { only } from '@/lib/base/http/only'
import { answerPalette } from '@/lib/edges/web/console/answer-palette'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('GET', answerPalette)
