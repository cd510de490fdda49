import type { ReactNode } from 'react'

/**
 * The URL of public/icons.svg with a hash of its content, so that browsers do not use an old copy after an
 * upgrade.
 */
export const sprite = '/icons.svg?v=7bbe1a62'

/**
 * An icon. Pages refer to its drawing in public/icons.svg instead of repeating it. The drawings are from
 * Lucide. To use another icon, add it below and run `npx vitest run -u components/ui/icon.test.ts`, which
 * writes public/icons.svg. Then set the new hash in `sprite`. Assistive technology skips an icon without a
 * label.
 */
export type Icon = (props: { className?: string; label?: string }) => ReactNode

const icon =
  (name: string): Icon =>
  ({ className, label }) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the label or aria-hidden is one of the attributes below
    <svg
      className={className ? `icon ${className}` : 'icon'}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  )

export const Activity = icon('Activity')
export const AppWindow = icon('AppWindow')
export const ArrowDown = icon('ArrowDown')
export const ArrowUp = icon('ArrowUp')
export const BadgeCheck = icon('BadgeCheck')
export const Bell = icon('Bell')
export const BellRing = icon('BellRing')
export const Blocks = icon('Blocks')
export const BookOpen = icon('BookOpen')
export const Boxes = icon('Boxes')
export const Building2 = icon('Building2')
export const Check = icon('Check')
export const ChevronDown = icon('ChevronDown')
export const ChevronLeft = icon('ChevronLeft')
export const ChevronRight = icon('ChevronRight')
export const ChevronsUpDown = icon('ChevronsUpDown')
export const CircleAlert = icon('CircleAlert')
export const CircleCheck = icon('CircleCheck')
export const CircleHelp = icon('CircleHelp')
export const CircleSlash = icon('CircleSlash')
export const CircleX = icon('CircleX')
export const Clock = icon('Clock')
export const Copy = icon('Copy')
export const CornerUpLeft = icon('CornerUpLeft')
export const Download = icon('Download')
export const Ellipsis = icon('Ellipsis')
export const ExternalLink = icon('ExternalLink')
export const Eye = icon('Eye')
export const EyeOff = icon('EyeOff')
export const FileKey = icon('FileKey')
export const Fingerprint = icon('Fingerprint')
export const FolderClosed = icon('FolderClosed')
export const FolderPen = icon('FolderPen')
export const FolderPlus = icon('FolderPlus')
export const Gauge = icon('Gauge')
export const Globe = icon('Globe')
export const Hand = icon('Hand')
export const History = icon('History')
export const House = icon('House')
export const IdCard = icon('IdCard')
export const ImageUp = icon('ImageUp')
export const Inbox = icon('Inbox')
export const Info = icon('Info')
export const KeyRound = icon('KeyRound')
export const KeySquare = icon('KeySquare')
export const Laptop = icon('Laptop')
export const Layers = icon('Layers')
export const LayoutGrid = icon('LayoutGrid')
export const Link2 = icon('Link2')
export const Link2Off = icon('Link2Off')
export const LoaderCircle = icon('LoaderCircle')
export const Lock = icon('Lock')
export const LogIn = icon('LogIn')
export const LogOut = icon('LogOut')
export const Mail = icon('Mail')
export const MailCheck = icon('MailCheck')
export const MailX = icon('MailX')
export const Menu = icon('Menu')
export const Monitor = icon('Monitor')
export const MonitorSmartphone = icon('MonitorSmartphone')
export const Moon = icon('Moon')
export const Play = icon('Play')
export const Plus = icon('Plus')
export const RectangleEllipsis = icon('RectangleEllipsis')
export const ScrollText = icon('ScrollText')
export const Search = icon('Search')
export const SearchX = icon('SearchX')
export const Server = icon('Server')
export const Settings = icon('Settings')
export const Settings2 = icon('Settings2')
export const ShieldAlert = icon('ShieldAlert')
export const ShieldCheck = icon('ShieldCheck')
export const Smartphone = icon('Smartphone')
export const Sun = icon('Sun')
export const Ticket = icon('Ticket')
export const TriangleAlert = icon('TriangleAlert')
export const Unplug = icon('Unplug')
export const UserCog = icon('UserCog')
export const UserMinus = icon('UserMinus')
export const UserPlus = icon('UserPlus')
export const UserRound = icon('UserRound')
export const UserRoundSearch = icon('UserRoundSearch')
export const Users = icon('Users')
export const Webhook = icon('Webhook')
export const X = icon('X')
