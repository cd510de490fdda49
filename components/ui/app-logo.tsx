import { Avatar } from './avatar'

/** An app as far as its logo goes. */
export type LogoOwner = {
  name: string
  logoUrl?: string | null | undefined
  /** The one for dark pages. */
  logoDarkUrl?: string | null | undefined
}

/** An app's logo in the colours of the page, or its initials. Decorative, as an avatar is. */
export const AppLogo = ({
  app: { name, logoUrl, logoDarkUrl },
  ...look
}: {
  app: LogoOwner
  size?: 'small' | 'medium' | 'large'
  className?: string
}) => <Avatar name={name} src={logoUrl} darkSrc={logoDarkUrl} shape="square" {...look} />
