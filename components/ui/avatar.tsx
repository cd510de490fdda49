import type { CSSProperties } from 'react'
import { ownPicture } from '@/lib/features/pictures/rules'
import { cn } from './cn'

/** Not all around: greens and yellows that white could not be read on at one lightness are left out. */
const hues = [12, 28, 45, 62, 95, 130, 155, 180, 205, 230, 250, 268, 285, 305, 325, 345]

/** The hue that a thing keeps for life: from its id, or from its name where nothing else is known. */
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
 * A person, workspace or app: its picture, or its initials in a hue of its own, by `id` where the name may change.
 * Decorative: the name always stands beside it as text.
 * `shape` "round" is for people, whose picture may be at their identity provider; "square" is for workspaces and apps, whose
 * picture is loaded from here alone. Where a page is dark it shows `darkSrc`; of the two the one that is missing is the other.
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
  const box = cn(
    'grid shrink-0 place-content-center overflow-hidden font-semibold leading-none tracking-[-0.02em]',
    sizes[size],
    shape === 'round' ? 'rounded-full' : 'rounded-[26%]',
    className,
  )
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
      className={cn(box, shape === 'round' ? 'tile-person' : 'tile-thing')}
    >
      {initials(name)}
    </span>
  )
}

const Picture = ({ src, className }: { src: string; className: string }) => (
  // biome-ignore lint/performance/noImgElement: pictures come from several hosts, at one small size
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
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? '?')][0])
    .join('')
    .toUpperCase()
}

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
