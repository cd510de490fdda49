import { only } from '@/lib/base/http/only'
import { alive } from '@/lib/server/health'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('GET', () => alive())
