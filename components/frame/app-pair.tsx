import { AppLogo, type LogoOwner } from '../ui/app-logo'
import { type Brand, Logo } from './brand'

/** An app and the service, joined by a line: who asks, and whose account it is about. */
export const AppPair = ({ brand, app }: { brand: Brand; app: LogoOwner }) => (
  <div className="flex items-center">
    <AppLogo app={app} size="large" className="size-12 rounded-[12px] text-base" />
    <span aria-hidden className="w-10 border-control border-t border-dashed" />
    <Logo brand={brand} size="large" />
  </div>
)
