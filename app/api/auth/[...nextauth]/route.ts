import NextAuth from 'next-auth'
import { config } from '@/lib/config/env'
import { authOptions } from '@/lib/web/auth-options'
import { visitorFrom } from '@/lib/web/current-session'

type Context = { params: Promise<{ nextauth: string[] }> }

async function handle(request: Request, context: Context): Promise<Response> {
  // next-auth 4 knows its own address from the environment alone.
  process.env.NEXTAUTH_URL = config().BASE_URL
  return NextAuth(request as never, context as never, authOptions(visitorFrom(request.headers)))
}

export const GET = handle
export const POST = handle
