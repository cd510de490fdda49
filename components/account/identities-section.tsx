import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ProviderMark } from '../auth/providers'
import { ConfirmAction } from '../forms/action-button'
import { OwnPasswordField } from '../two-factor/own-password-field'
import { ButtonAnchor } from '../ui/button'
import type { Icon } from '../ui/icon'
import { Time } from '../ui/time'
import { MethodRow } from './method-row'

/** Returns the mark of an identity provider as an icon. */
const markOf =
  (id: string): Icon =>
  ({ className }) => <ProviderMark id={id} className={className} />

type ConnectedIdentity = { provider: string; subject: string; createdAt: Date }

/**
 * Lists the identity providers. Each row shows the user's connected accounts with buttons to remove them. If
 * there are none and the provider is still available, the row shows a button to connect an account.
 */
export function IdentitiesSection({
  services,
  asksPassword,
  remove,
}: {
  services: { id: string; name: string; usable: boolean; connected: ConnectedIdentity[] }[]
  asksPassword: boolean
  remove: FormAction
}) {
  return services.map(({ id, name, usable, connected }) => (
    <MethodRow
      key={id}
      icon={markOf(id)}
      title={name}
      description={usable ? `Sign in with your account at ${name}.` : 'No longer available on this instance.'}
      status={
        connected.length > 0
          ? { tone: usable ? 'good' : 'warning', text: 'Connected' }
          : { tone: 'off', text: 'Not connected' }
      }
      aside={
        usable &&
        connected.length === 0 && (
          <ButtonAnchor href={`/login/connect?provider=${id}`} size="small">
            Connect <span className="sr-only">{name}</span>
          </ButtonAnchor>
        )
      }
      more={
        connected.length > 0 && (
          <ul aria-label={`Connected with ${name}`}>
            {connected.map(({ provider, subject, createdAt }) => (
              <li key={subject} className="flex flex-wrap items-center justify-between gap-3 py-3">
                <span className="wrap-anywhere min-w-0 text-[13px] text-muted">
                  Account ID <span className="font-mono">{subject}</span>, connected <Time at={createdAt} />
                </span>
                <ConfirmAction
                  trigger="Remove"
                  triggerLook={{ size: 'small' }}
                  triggerLabel={`Remove ${name}`}
                  title={`Remove ${name}?`}
                  confirmLabel={`Remove ${name}`}
                  done={`${name} removed`}
                  action={remove}
                  fields={{ provider, subject }}
                >
                  <p>
                    You won’t be able to sign in with this account. Your current sessions aren’t affected.
                  </p>
                  <OwnPasswordField asked={asksPassword} />
                </ConfirmAction>
              </li>
            ))}
          </ul>
        )
      }
    />
  ))
}
