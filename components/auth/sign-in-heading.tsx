import type { Say } from '@/lib/base/language/say'
import { AppPair } from '../frame/app-pair'
import type { Brand } from '../frame/brand'
import { CardHeading } from '../frame/card-heading'
import type { LogoOwner } from '../ui/app-logo'

/** What the sign-in is for: the app whose request waits, beside the service; or the service alone. */
export function SignInHeading({
  say,
  brand,
  app,
  title,
  children,
}: {
  say: Say
  brand: Brand
  app: (LogoOwner & { scopes: string[] }) | undefined
  title: string
  children?: string
}) {
  if (!app) return <CardHeading title={title}>{children}</CardHeading>
  const chooses = app.scopes.some((scope) => /^(workspace|project):/.test(scope))
  return (
    <>
      <div className="mb-4">
        <AppPair brand={brand} app={app} />
      </div>
      <CardHeading title={title}>
        {say(chooses ? 'login.leadChoose' : 'login.lead', { app: app.name, service: brand.serviceName })}
      </CardHeading>
    </>
  )
}
