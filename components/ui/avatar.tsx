import type { CSSProperties } from 'react'
import { ownPicture } from '@/lib/features/pictures/rules'
import { cn } from './cn'

/**
 * The hues of avatars. The greens and yellows on which white text would be unreadable at the avatars'
 * lightness are omitted.
 */
const hues = [12, 28, 45, 62, 95, 130, 155, 180, 205, 230, 250, 268, 285, 305, 325, 345]

/** Returns the hue for an ID or, if the avatar has no ID, for a name. The hue for a text never changes. */
function hueOf(id: string): number {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return hues[sum % hues.length] as number
}

const sizes = {
  tiny: 'size-[18px] text-[8px]',
  small: 'size-6 text-[10px]',
  medium: 'size-8 text-[13px]',
  large: 'size-14 text-xl',
}

/**
 * Shows the image of a user, workspace, or app. Without an image, shows the initials of the name in a
 * permanent hue. If the name can change, set `id`, from which the hue is then derived. The image is
 * decorative, because the name is always next to it as text. `shape` "round" is for users, whose image can be
 * on their identity provider's server. "square" is for workspaces and apps, whose image is shown only if it
 * is on this server or in a data URL. Dark pages show `darkSrc`. If one of the two images is missing, the
 * other image is shown on all pages.
 */
export function Avatar({
  name,
  id = name,
  src,
  darkSrc,
  size = 'medium',
  shape = 'round',
  className,
}: {
  name: string
  id?: string | undefined
  src?: string | null | undefined
  darkSrc?: string | null | undefined
  size?: keyof typeof sizes
  shape?: 'round' | 'square'
  className?: string
}) {
  const box = cn('tile', sizes[size], shape === 'round' ? 'rounded-full' : 'rounded-[26%]', className)
  const pictureOf = (address: typeof src) => (shape === 'square' ? ownPicture(address) : address)
  const [light, dark] = [pictureOf(src), pictureOf(darkSrc)]
  const only = light && dark ? undefined : light || dark
  if (only) return <Picture src={only} className={box} />
  if (light && dark) {
    return (
      <>
        <Picture src={light} className={cn('on-light', box)} />
        <Picture src={dark} className={cn('on-dark', box)} />
      </>
    )
  }
  return (
    <span
      aria-hidden
      style={{ '--h': hueOf(id) } as CSSProperties}
      className={cn(box, shape === 'round' ? 'tile-user' : 'tile-thing')}
    >
      {initials(name)}
    </span>
  )
}

const Picture = ({ src, className }: { src: string; className: string }) => (
  // biome-ignore lint/performance/noImgElement: images are on several hosts and have one small size
  <img
    src={src}
    alt=""
    width={56}
    height={56}
    className={cn(className, 'border object-cover')}
    referrerPolicy="no-referrer"
  />
)

function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s._@-]+/)
    .filter(Boolean)
  // If the last word starts with a digit, use only the first word. The digit would not help to tell adjacent
  // avatars apart, because they often have the same first digit.
  const letters = words.length > 1 && !/^\d/.test(words.at(-1) ?? '') ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? '?')][0])
    .join('')
    .toUpperCase()
}

/** The fields of an app that AppLogo shows. */
export type LogoOwner = {
  /** The client ID, from which the hue of the initials is derived. */
  id: string
  name: string
  logoUrl?: string | null | undefined
  /** The logo for dark pages. */
  logoDarkUrl?: string | null | undefined
}

/**
 * Shows an app's logo for the page's color scheme or, if the app has no logo, the initials of its name. The
 * logo is decorative, like an avatar.
 */
export const AppLogo = ({
  app: { id, name, logoUrl, logoDarkUrl },
  ...look
}: {
  app: LogoOwner
  size?: 'small' | 'medium' | 'large'
  className?: string
}) => <Avatar name={name} id={id} src={logoUrl} darkSrc={logoDarkUrl} shape="square" {...look} />
