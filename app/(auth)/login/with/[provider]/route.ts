import { startExternalSignIn } from '@/lib/web/start-external-sign-in'

export async function POST(request: Request, { params }: { params: Promise<{ provider: string }> }) {
  return startExternalSignIn(request, (await params).provider)
}
