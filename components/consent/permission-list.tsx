import type { Say } from '@/lib/base/language/say'
import { cn } from '../ui/cn'
import { PermissionMark } from './permission-icon'
import type { ConsentApp, ConsentPermission } from './types'

/** What the app may do, as short sentences; the dangerous ones stand out by colour and by a word. */
export function PermissionList({
  say,
  app,
  permissions,
}: {
  say: Say
  app: ConsentApp
  permissions: ConsentPermission[]
}) {
  return (
    <section aria-labelledby="permissions" className="grid gap-3">
      <h2 id="permissions" className="font-semibold text-[15px]">
        {say('consent.able', { app: app.name })}
      </h2>
      <ul className="grid gap-2">
        {permissions.map(({ text, note, added, icon, danger }) => (
          <li key={text} className="flex items-start gap-2.5 text-[15px] leading-[22px]">
            <PermissionMark
              icon={icon}
              className={cn('mt-[3px] size-4 shrink-0', danger ? 'text-danger' : 'text-muted')}
            />
            <span>
              {text}{' '}
              {note && (
                <span className="inline-block rounded-full bg-danger-soft px-2 align-[1px] font-medium text-danger text-xs leading-5">
                  {note}
                </span>
              )}{' '}
              {added && (
                <span className="inline-block rounded-full bg-info-soft px-2 align-[1px] font-medium text-info text-xs leading-5">
                  {added}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
