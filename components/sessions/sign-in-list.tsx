import { Time } from '../ui/time'

export type ListedSignIn = {
  id: string
  device: string
  ip: string | null
  methods: string[]
  createdAt: Date
}

/** The ways a sign-in was proved, in the order they were given. */
const ways: [string, string][] = [
  ['pwd', 'password'],
  ['ext', 'another service'],
  ['hwk', 'passkey'],
  ['otp', 'code'],
]

/** When, how and from where a person signed in. */
export const SignInList = ({ signIns }: { signIns: ListedSignIn[] }) => (
  <ul aria-label="Sign-ins">
    {signIns.map(({ id, device, ip, methods, createdAt }) => (
      <li key={id} className="flex flex-wrap items-baseline gap-x-3 border-b px-4 py-2.5 last:border-b-0">
        <span className="wrap-anywhere min-w-0 flex-1 basis-52">
          <span className="font-medium">{device}</span>{' '}
          <span className="text-[13px] text-muted">
            by{' '}
            {ways
              .filter(([method]) => methods.includes(method))
              .map(([, way]) => way)
              .join(' and ')}
            {ip && <> · {ip}</>}
          </span>
        </span>
        <span className="text-[13px] text-muted">
          <Time at={createdAt} />
        </span>
      </li>
    ))}
  </ul>
)
