import { only } from '@/lib/base/http/only'
import { ready } from '@/lib/server/health'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('GET', () => ready())
