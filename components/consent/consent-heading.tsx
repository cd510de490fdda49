import { ArrowRight } from 'lucide-react'
import { type Brand, Logo } from '../frame/brand'
import { Avatar } from '../ui/avatar'
import { Publisher } from './publisher'
import type { ConsentApp } from './types'

/** Who asks, on whose behalf, and where it sends you: the first five seconds of the page. */
export function ConsentHeading({
  brand,
  app,
  returnHost,
  onThisComputer = false,
}: {
  brand: Brand
  app: ConsentApp
  returnHost?: string | undefined
  /** The answer goes to a program on this computer, which may be any. */
  onThisComputer?: boolean | undefined
}) {
  return (
    <div className="grid justify-items-center gap-4 text-center">
      <div className="flex items-center">
        <Avatar
          name={app.name}
          src={app.logoUrl}
          size="large"
          shape="square"
          className="size-12 rounded-[12px] text-base"
        />
        <span aria-hidden className="w-10 border-control border-t border-dashed" />
        <Logo brand={brand} size="large" />
      </div>
      <h1 className="text-balance text-lg leading-7">
        <strong className="font-semibold">{app.name}</strong> wants to access your {brand.serviceName} account
      </h1>
      <ul className="grid gap-1 text-[15px] text-muted leading-[22px]">
        <li>
          <Publisher app={app} />
        </li>
        {returnHost && (
          <li className="flex items-start justify-center gap-1.5">
            <ArrowRight aria-hidden className="mt-1 size-3.5 shrink-0" />
            <span>
              You will return to <span className="font-medium text-text">{returnHost}</span>
            </span>
          </li>
        )}
        {onThisComputer && !app.workspaceName && (
          <li>It runs on this computer. Go on only if you have just started it yourself.</li>
        )}
      </ul>
    </div>
  )
}
